import type { Value } from "./value.ts";

/** A document of a file. */
export interface YamlDocument {
  readonly root: Value;
  /** It asked for YAML 1.1, whose rules hold when it is written, too. */
  readonly version11: boolean;
  /** Something in it may stand in several places. */
  readonly hasAnchors: boolean;
}
