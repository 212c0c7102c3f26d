import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Attack } from "./attack.ts";

export const machineAttacks: readonly Attack[] = [
  {
    name: "machine: the folder for temporary files is deleted",
    async run({ fluxd }) {
      await rm(join(fluxd.folder, "tmp"), { recursive: true });
      return "made anew";
    },
  },
];
