import { EditError } from "./errors.ts";
import { type Comment, Remarks, type Token, type TokenKind } from "./token.ts";
import { TokenQueue } from "./token-queue.ts";
import { Tokenizer } from "./tokenizer.ts";

/**
 * Converts text to tokens with their comments, like ruamel.yaml 0.15's round-trip scanner. A comment after a scalar, a
 * `:`, or the end of a flow collection on the same line is its `post` comment, and so are comment lines below a scalar.
 * All others are `pre` comments of the next token. Where a comment goes depends on how far the scanner looks ahead, so
 * it looks ahead only as far as it must.
 */
export class Scanner {
  /** The first place where two comments belong to the same token; one of them is lost. */
  clash: EditError | undefined;
  readonly #queue = new TokenQueue();
  readonly #tokenizer: Tokenizer;
  /** The next token, if that's decided and its comments were collected. */
  #front: Token | undefined;

  constructor(text: string) {
    this.#tokenizer = new Tokenizer(text, this.#queue);
  }

  /** True if the document follows YAML 1.1. */
  get version11(): boolean {
    return this.#tokenizer.version11;
  }

  set version11(version11: boolean) {
    this.#tokenizer.version11 = version11;
  }

  /** The next token, without removing it; its `pre` comments are attached. */
  peek(): Token {
    this.#front ??= this.#lookAhead();
    return this.#front;
  }

  /** Removes and returns the next token; its `post` comments are attached too. */
  next(): Token {
    const token = this.peek();
    this.#attachFollowingComments(token);
    this.#queue.take();
    this.#front = undefined;
    return token;
  }

  /** Moves the comments of one token to another. */
  moveRemarks(from: Token, to: Token, handedOn = false): void {
    const moved = from.remarks;
    if (moved === undefined || to.kind === "stream end" || to.kind === "document start") {
      return;
    }
    from.remarks = undefined;
    const held = to.remarks;
    if (held === undefined) {
      to.remarks = handedOn ? new Remarks(moved.post, moved.pre, true) : moved;
      return;
    }
    if ((moved.post !== undefined && held.post !== undefined) || (hasAny(moved.pre) && hasAny(held.pre))) {
      this.#reportClash(to.line);
    }
    held.post = moved.post ?? held.post;
    held.pre = hasAny(moved.pre) ? moved.pre : held.pre;
  }

  /** A token that may be a key isn't returned before that's decided. */
  #lookAhead(): Token {
    this.#decide();
    if (this.#queue.at(0)?.kind === "comment") {
      this.#gatherComments();
    }
    if (!this.#tokenizer.done && this.#queue.length < 2) {
      this.#tokenizer.step();
    }
    const token = this.#queue.at(0);
    if (token === undefined) {
      throw new EditError("the text ends unexpectedly");
    }
    return token;
  }

  #decide(): void {
    while (!this.#tokenizer.done && (this.#queue.length === 0 || this.#tokenizer.isUndecided())) {
      this.#tokenizer.step();
    }
  }

  /** Removes the comments at the start of the queue and attaches them to the next token. */
  #gatherComments(): void {
    const gathered: Comment[] = [];
    let token = this.#queue.at(0);
    while (token?.detail?.comment !== undefined) {
      gathered.push(token.detail.comment);
      this.#queue.take();
      this.#decide();
      token = this.#queue.at(0);
    }
    if (token !== undefined) {
      this.#attachPre(token, gathered);
    }
  }

  #attachFollowingComments(token: Token): void {
    let next = this.#queue.at(1);
    if (next?.kind !== "comment") {
      return;
    }
    const sameLine = token.endLine === next.line;
    if (token.kind !== "scalar" && !(sameLine && takesPost(token.kind))) {
      return;
    }
    const found: Comment[] = [];
    while (next?.detail?.comment !== undefined) {
      found.push(next.detail.comment);
      this.#queue.takeSecond();
      this.#tokenizer.step();
      next = this.#queue.at(1);
    }
    token.remarks ??= new Remarks(undefined, undefined);
    token.remarks.post = joinComments(found, sameLine ? undefined : token.endLine);
  }

  #attachPre(token: Token, comments: Comment[]): void {
    if (token.remarks?.pre !== undefined) {
      this.#reportClash(token.line);
    }
    token.remarks ??= new Remarks(undefined, undefined);
    token.remarks.pre = comments;
  }

  #reportClash(line: number): void {
    this.clash ??= new EditError("there are more comments here than can be kept", line + 1);
  }
}

function takesPost(kind: TokenKind): boolean {
  return kind === "value" || kind === "flow sequence end" || kind === "flow mapping end";
}

/** Joins comments on separate lines; if the first one is below the token, includes the lines in between. */
function joinComments(comments: readonly Comment[], tokenLine: number | undefined): Comment | undefined {
  const [first, ...others] = comments;
  if (first === undefined) {
    return undefined;
  }
  const padded = (comment: Comment): string => " ".repeat(comment.column) + comment.text;
  if (tokenLine !== undefined) {
    first.text = "\n".repeat(first.line - tokenLine) + padded(first);
  }
  first.text += others.map(padded).join("");
  return first;
}

function hasAny(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}
