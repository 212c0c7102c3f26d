import type { JsonObject } from "@weir/base";

/** The three objects that a three-way patch is computed from. */
export interface ThreeWay {
  /** The last-applied configuration; null if there is none. */
  readonly original: JsonObject | null;
  readonly modified: JsonObject;
  /** The live object. */
  readonly current: JsonObject;
}
