/** What the scanner finds, one kind for each of YAML's indicators and contents. */
export type TokenKind =
  | "stream end"
  | "version directive"
  | "tag directive"
  | "document start"
  | "document end"
  | "block sequence start"
  | "block mapping start"
  | "block end"
  | "flow sequence start"
  | "flow sequence end"
  | "flow mapping start"
  | "flow mapping end"
  | "block entry"
  | "flow entry"
  | "key"
  | "value"
  | "alias"
  | "anchor"
  | "tag"
  | "scalar";

/** A token and the line that it begins on, which counts from 0. */
export interface Token {
  readonly kind: TokenKind;
  readonly line: number;
  /** The value of a scalar, the name of an anchor or alias, the suffix of a tag, the prefix of a tag directive. */
  readonly text: string;
  /** The handle of a tag or tag directive, the version of a version directive. */
  readonly handle: string;
  /** A scalar without quotes that is no block: what it means depends on how it looks. */
  readonly plain: boolean;
}

/** A token that may turn out to be a key, once a `:` follows it on its line. */
export interface SimpleKey {
  possible: boolean;
  /** Nothing else can stand here. */
  readonly required: boolean;
  readonly tokenNumber: number;
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

/** A token that is an indicator and has no content. */
export function indicator(kind: TokenKind, line: number): Token {
  return { kind, line, text: "", handle: "", plain: false };
}
