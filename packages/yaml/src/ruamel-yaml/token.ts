import type { Cursor, Mark } from "./cursor.ts";

/** What the scanner finds, one kind for each of YAML's indicators and contents. */
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

/** How a scalar is written: plain (""), in quotes, or as a block. */
export type ScalarStyle = "" | "'" | '"' | "|" | ">";

/** Where a comment stands. */
export interface CommentPlace {
  readonly line: number;
  readonly column: number;
  /** True: on the first line of a block scalar. */
  readonly header?: boolean;
}

/** A comment, with the blank lines that belong to it; `column` is where it began in the file. */
export class Comment {
  text: string;
  readonly line: number;
  readonly column: number;
  /** It stood on the first line of a block scalar, after `|` or `>`. */
  readonly header: boolean;

  constructor(text: string, { line, column, header = false }: CommentPlace) {
    this.text = text;
    this.line = line;
    this.column = column;
    this.header = header;
  }
}

/**
 * The comments that go with a token or a node: `post` follows it on its line (and may go on over the lines
 * below), `pre` stand on lines of their own before it, `end` on lines after the last entry of a collection.
 *
 * A comment after `key:` is handed on to the value below it (`handedOn`); such a value takes no `end`.
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

/** What only some kinds of tokens say. */
export interface TokenDetail {
  /** Of a tag or a %TAG directive. */
  readonly handle?: string | undefined;
  /** Of a %YAML directive. */
  readonly version?: { readonly major: number; readonly minor: number } | undefined;
  /** What a comment token holds. */
  readonly comment?: Comment;
  /** A scalar has characters beyond U+FFFF that were written as two escapes each, as JSON does it. */
  readonly splitPairs?: boolean;
}

/** A token, where it stands, and the comments attached to it so far. */
export class Token {
  readonly kind: TokenKind;
  readonly line: number;
  readonly column: number;
  endLine: number;
  /** Offsets in the text: of its first character, and past its last. */
  readonly start: number;
  end: number;
  /** The value of a scalar, the name of an anchor, alias or directive, the suffix of a tag. */
  text = "";
  style: ScalarStyle = "";
  detail: TokenDetail | undefined = undefined;
  remarks: Remarks | undefined = undefined;

  /** A token that begins here; it ends here too, unless it is told where. */
  constructor(kind: TokenKind, at: Mark) {
    this.kind = kind;
    this.line = at.line;
    this.column = at.column;
    this.endLine = at.line;
    this.start = at.position;
    this.end = at.position;
  }

  /** Says that it ends here. */
  endAt({ line, position }: Pick<Cursor, "line" | "position">): this {
    this.endLine = line;
    this.end = position;
    return this;
  }
}
