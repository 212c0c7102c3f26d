import type { Cursor, Mark } from "./cursor.ts";

/** The kinds of tokens, one for each of YAML's indicators and content types. */
export type TokenKind =
  | "stream start"
  | "stream end"
  | "directive"
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
  | "scalar"
  | "comment";

/** The style of a scalar: plain (""), quoted, or a block. */
export type ScalarStyle = "" | "'" | '"' | "|" | ">";

/** The position of a comment. */
export interface CommentPlace {
  readonly line: number;
  readonly column: number;
  /** True on the first line of a block scalar. */
  readonly header?: boolean;
}

/** A comment, with its blank lines; `column` is where it started in the file. */
export class Comment {
  text: string;
  readonly line: number;
  readonly column: number;
  /** True if it was on the first line of a block scalar, after `|` or `>`. */
  readonly header: boolean;

  constructor(text: string, { line, column, header = false }: CommentPlace) {
    this.text = text;
    this.line = line;
    this.column = column;
    this.header = header;
  }
}

/**
 * The comments of a token or node: `post` follows it on its line (and may continue on the lines below), `pre` is on
 * separate lines before it, and `end` is on lines after the last entry of a collection.
 *
 * A comment after `key:` is passed on to the value below it (`handedOn`); such a value gets no `end`.
 */
export class Remarks {
  post: Comment | undefined;
  pre: Comment[] | undefined;
  end: Comment[] | undefined;
  readonly handedOn: boolean;

  constructor(post: Comment | undefined, pre: Comment[] | undefined, handedOn = false) {
    this.post = post;
    this.pre = pre;
    this.end = undefined;
    this.handedOn = handedOn;
  }
}

/** Details that only some kinds of tokens have. */
export interface TokenDetail {
  /** For a tag or a %TAG directive. */
  readonly handle?: string | undefined;
  /** For a %YAML directive. */
  readonly version?: { readonly major: number; readonly minor: number } | undefined;
  /** For a comment token. */
  readonly comment?: Comment;
  /** True if a scalar contains characters beyond U+FFFF that were written as two escapes each, as in JSON. */
  readonly splitPairs?: boolean;
}

/** A token, its position, and the comments attached to it so far. */
export class Token {
  readonly kind: TokenKind;
  readonly line: number;
  readonly column: number;
  endLine: number;
  /** Offsets in the text: of its first character, and after its last. */
  readonly start: number;
  end: number;
  /** The value of a scalar, the name of an anchor, alias, or directive, or the suffix of a tag. */
  text = "";
  style: ScalarStyle = "";
  detail: TokenDetail | undefined = undefined;
  remarks: Remarks | undefined = undefined;

  /** A token that starts here; it also ends here, unless another end is set. */
  constructor(kind: TokenKind, at: Mark) {
    this.kind = kind;
    this.line = at.line;
    this.column = at.column;
    this.endLine = at.line;
    this.start = at.position;
    this.end = at.position;
  }

  /** Sets the end to this position. */
  endAt({ line, position }: Pick<Cursor, "line" | "position">): this {
    this.endLine = line;
    this.end = position;
    return this;
  }
}
