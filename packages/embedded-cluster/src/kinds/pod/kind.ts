import type { Kind } from "../kind.ts";
import { podCells } from "./cells.ts";
import { podDefaulters } from "./defaults.ts";
import { podRules } from "./rules.ts";

/** Pods. */
export const pod: Kind = { bucket: "pods", rules: podRules, defaults: podDefaulters, cells: podCells };
