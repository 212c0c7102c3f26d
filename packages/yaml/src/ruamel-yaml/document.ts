import type { Value } from "./value.ts";

/** A document in a file. */
export interface YamlDocument {
  readonly root: Value;
  /** Its range in the text: from its first token, including directives and `---`, to that of the next document. */
  readonly start: number;
  readonly end: number;
  /** True if it declares YAML 1.1, whose rules then also apply when it's written. */
  readonly version11: boolean;
  /** True if a node in it may occur in several places. */
  readonly hasAnchors: boolean;
}
