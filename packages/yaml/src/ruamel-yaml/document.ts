import type { Value } from "./value.ts";

/** A document of a file. */
export interface YamlDocument {
  readonly root: Value;
  /** Where it stands in the text: from its first token, directives and `---` included, to that of the next. */
  readonly start: number;
  readonly end: number;
  /** It asked for YAML 1.1, whose rules hold when it is written, too. */
  readonly version11: boolean;
  /** Something in it may stand in several places. */
  readonly hasAnchors: boolean;
}
