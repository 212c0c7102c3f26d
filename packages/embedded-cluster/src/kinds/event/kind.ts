import type { Kind } from "../kind.ts";
import { eventCells } from "./cells.ts";
import { eventRules } from "./rules.ts";

/** Events. */
export const event: Kind = { bucket: "events", rules: eventRules, cells: eventCells };
