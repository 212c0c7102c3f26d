import { rm } from "node:fs/promises";
import type { Attack } from "./attack.ts";

export const machineAttacks: readonly Attack[] = [
  {
    name: "machine: the folder for temporary files is deleted",
    async run({ around: { disk } }) {
      await rm(disk.temporary, { recursive: true });
      return "created again";
    },
  },
  {
    name: "machine: the disk is full",
    async run(world) {
      const { disk, repository, git } = world.around;
      try {
        const said = await world.saidAfter(async () => {
          disk.fill();
          await repository.push({ "large.yaml": `# ${"x".repeat(100_000)}\n` }, "does not fit");
          await world.notify();
        }, /not enough disk space/);
        const before = git.fetches;
        await new Promise((resolve) => setTimeout(resolve, 10_000));
        return `${git.fetches - before} fetches in ten seconds; ${said}`;
      } finally {
        disk.empty();
      }
    },
  },
];
