import type { YamlScalar } from "./value.ts";

/** The types that a scalar can have because of its text, by the short form of their tags. */
export type ScalarTag = "str" | "bool" | "int" | "float" | "null" | "timestamp";

/** A scalar and its type. */
export interface Resolved {
  readonly tag: ScalarTag;
  readonly value: YamlScalar;
}
