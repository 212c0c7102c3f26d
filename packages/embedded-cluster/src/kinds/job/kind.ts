import type { Kind } from "../kind.ts";
import { jobCells } from "./cells.ts";
import { jobDefaults } from "./defaults.ts";
import { jobRules } from "./rules.ts";

/** Jobs. */
export const job: Kind = { bucket: "jobs.batch", rules: jobRules, defaults: jobDefaults, cells: jobCells };
