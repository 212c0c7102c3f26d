/** The kinds of tokens, one for each of YAML's indicators and content types. */
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

/** A token and the line where it starts, counted from 0. */
export interface Token {
  readonly kind: TokenKind;
  readonly line: number;
  /** The column of a block collection, counted from 0; -1 for all other tokens. */
  readonly column: number;
  /** The value of a scalar, the name of an anchor or alias, the suffix of a tag, or the prefix of a tag directive. */
  readonly text: string;
  /** The handle of a tag or tag directive, or the version of a version directive. */
  readonly handle: string;
  /** A scalar that's neither quoted nor a block, so its meaning depends on its text. */
  readonly plain: boolean;
}

/** A token that may turn out to be a key if a `:` follows on its line. */
export interface SimpleKey {
  possible: boolean;
  /** Nothing but a key is allowed here. */
  readonly required: boolean;
  readonly tokenNumber: number;
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

/** A token for an indicator, which has no content. */
export function indicator(kind: TokenKind, line: number, column = -1): Token {
  return { kind, line, column, text: "", handle: "", plain: false };
}
