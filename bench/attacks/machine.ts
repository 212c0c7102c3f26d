import { rm } from "node:fs/promises";
import type { Attack } from "./attack.ts";

export const machineAttacks: readonly Attack[] = [
  {
    name: "machine: the folder for temporary files is deleted",
    async run({ disk }) {
      await rm(disk.temporary, { recursive: true });
      return "made anew";
    },
  },
  {
    name: "machine: the disk is full",
    async run(world) {
      const { disk, repository, git } = world;
      try {
        const said = await world.saidAfter(async () => {
          disk.fill();
          await repository.push({ "large.yaml": `# ${"x".repeat(100_000)}\n` }, "does not fit");
          await world.notify();
        }, /No space left|ENOSPC/i);
        const before = git.fetches;
        await new Promise((resolve) => setTimeout(resolve, 10_000));
        return `${git.fetches - before} fetches in ten seconds; ${said}`;
      } finally {
        disk.empty();
      }
    },
  },
];
