import { code, isBlankOrEnd } from "../characters.ts";
import { Cursor, type Mark } from "./cursor.ts";
import { EditError } from "./errors.ts";
import { scanBlockScalar } from "./scan-block-scalar.ts";
import { skipGap } from "./scan-comment.ts";
import { scanFlowScalar } from "./scan-flow-scalar.ts";
import { scanPlainScalar, wentPastLine } from "./scan-plain-scalar.ts";
import { scanAnchor, scanDirective, scanTag } from "./scan-properties.ts";
import { SimpleKeys } from "./simple-keys.ts";
import { type Comment, Token, type TokenKind } from "./token.ts";
import type { TokenQueue } from "./token-queue.ts";

/**
 * Converts text to tokens step by step. Each step adds the next token to the queue (and those that start or end blocks
 * with it), or the next comment. Blank lines count as a comment.
 *
 * The first token of a line, or of an entry in a flow collection, may turn out to be a key when a `:` follows it; then
 * a `key` token is inserted before it.
 */
export class Tokenizer {
  /** True if the document follows YAML 1.1, where a `?` or `:` in a flow collection always separates. */
  version11 = false;
  /** True at the end of the text. */
  done = false;
  readonly #cursor: Cursor;
  readonly #queue: TokenQueue;
  readonly #keys = new SimpleKeys();
  readonly #flow: ("[" | "{")[] = [];
  readonly #outerIndents: number[] = [];
  #indent = -1;
  /** True if a key, or an entry of a block, can start here. */
  #keyAllowed = true;

  constructor(text: string, queue: TokenQueue) {
    this.#cursor = new Cursor(text);
    this.#queue = queue;
    this.#queue.add(new Token("stream start", this.#cursor));
  }

  /** True if it isn't decided yet whether the first token in the queue is a key. */
  isUndecided(): boolean {
    this.#keys.dropStale(this.#cursor);
    return this.#keys.first()?.number === this.#queue.firstNumber;
  }

  /** Adds the next token or comment to the queue. */
  step(): void {
    const comment = this.#skipToToken();
    if (comment !== undefined) {
      this.#addComment(comment);
      return;
    }
    this.#keys.dropStale(this.#cursor);
    this.#unwindIndent(this.#cursor.column);
    const char = this.#cursor.peek();
    if (this.#cursor.column !== 0 || !this.#addDocumentMark(char)) {
      this.#addToken(char);
    }
  }

  #skipToToken(): Comment | undefined {
    const { comment, newLine } = skipGap(this.#cursor);
    this.#keyAllowed ||= newLine && !this.#inFlow();
    return comment;
  }

  #addComment(comment: Comment): void {
    comment.text = withoutTrailingSpaces(comment.text);
    const { line, column } = comment;
    const token = new Token("comment", { line, column, position: this.#cursor.position });
    token.detail = { comment };
    this.#queue.add(token);
  }

  // Documents.

  #addDocumentMark(char: number): boolean {
    if (char === code.percent) {
      this.#endBlocks();
      this.#queue.add(scanDirective(this.#cursor));
      return true;
    }
    if (!this.#atDocumentMark()) {
      return false;
    }
    this.#endBlocks();
    this.#addIndicator(char === code.dash ? "document start" : "document end", 3);
    return true;
  }

  /** True if `---` or `...` is here, followed by white space. */
  #atDocumentMark(): boolean {
    const cursor = this.#cursor;
    const char = cursor.peek();
    return (
      (char === code.dash || char === code.dot) &&
      cursor.column === 0 &&
      (cursor.startsWith("---") || cursor.startsWith("...")) &&
      isBlankOrEnd(cursor.peek(3))
    );
  }

  #endBlocks(): void {
    this.#unwindIndent(-1);
    this.#keys.remove(this.#flow.length);
    this.#keyAllowed = false;
  }

  #addStreamEnd(): void {
    this.#endBlocks();
    this.#keys.truncate(0);
    this.#addIndicator("stream end", 0);
    this.done = true;
  }

  // Indicators.

  #addToken(char: number): void {
    switch (char) {
      case code.end:
        this.#addStreamEnd();
        break;
      case code.openBracket:
        this.#addFlowStart("[");
        break;
      case code.openBrace:
        this.#addFlowStart("{");
        break;
      case code.closeBracket:
        this.#addFlowEnd("flow sequence end");
        break;
      case code.closeBrace:
        this.#addFlowEnd("flow mapping end");
        break;
      case code.comma:
        this.#addFlowEntry();
        break;
      default:
        this.#addContent(char);
    }
  }

  #addContent(char: number): void {
    if (char === code.dash && isBlankOrEnd(this.#cursor.peek(1))) {
      this.#addBlockEntry();
    } else if (char === code.question && (this.#inFlow() || isBlankOrEnd(this.#cursor.peek(1)))) {
      this.#addKey();
    } else if (char === code.colon && this.#isValueIndicator()) {
      this.#addValue();
    } else if ((char === code.pipe || char === code.greater) && !this.#inFlow()) {
      this.#addBlockScalar(char === code.pipe ? "|" : ">");
    } else {
      this.#addNodePart(char);
    }
  }

  #addFlowStart(bracket: "[" | "{"): void {
    this.#saveSimpleKey();
    this.#flow.push(bracket);
    this.#keyAllowed = true;
    this.#addIndicator(bracket === "[" ? "flow sequence start" : "flow mapping start", 1);
  }

  #addFlowEnd(kind: TokenKind): void {
    this.#keys.remove(this.#flow.length);
    this.#flow.pop();
    this.#keys.truncate(this.#flow.length + 1);
    this.#keyAllowed = false;
    this.#addIndicator(kind, 1);
  }

  #addFlowEntry(): void {
    this.#keyAllowed = true;
    this.#keys.remove(this.#flow.length);
    this.#addIndicator("flow entry", 1);
  }

  #addBlockEntry(): void {
    this.#openBlockHere("block sequence start", "a sequence entry");
    this.#keyAllowed = true;
    this.#keys.remove(this.#flow.length);
    this.#addIndicator("block entry", 1);
  }

  #addKey(): void {
    this.#openBlockHere("block mapping start", "a mapping key");
    this.#keyAllowed = !this.#inFlow();
    this.#keys.remove(this.#flow.length);
    this.#addIndicator("key", 1);
  }

  #addValue(): void {
    const key = this.#keys.take(this.#flow.length);
    if (key === undefined) {
      this.#openBlockHere("block mapping start", "a mapping value");
      this.#keyAllowed = !this.#inFlow();
    } else {
      this.#queue.insert(key.number, new Token("key", key));
      if (!this.#inFlow()) {
        this.#openBlock("block mapping start", key, key.number);
      }
      this.#keyAllowed = false;
    }
    this.#addIndicator("value", 1);
  }

  #addIndicator(kind: TokenKind, length: number): void {
    const token = new Token(kind, this.#cursor);
    this.#cursor.skip(length);
    this.#queue.add(token.endAt(this.#cursor));
  }

  // Scalars, anchors, tags.

  #addBlockScalar(style: "|" | ">"): void {
    this.#keyAllowed = true;
    this.#keys.remove(this.#flow.length);
    const token = scanBlockScalar(this.#cursor, style, {
      parentIndent: this.#indent,
      atDocumentMark: () => this.#atDocumentMark(),
      nextComment: () => this.#skipToToken(),
    });
    this.#queue.add(token);
  }

  #addNodePart(char: number): void {
    if (!startsNodePart(char) && !this.#startsPlain(char)) {
      throw this.#error(`found ${describe(char)}, which can't start anything here`);
    }
    this.#saveSimpleKey();
    this.#keyAllowed = false;
    this.#queue.add(this.#scanNodePart(char));
  }

  #scanNodePart(char: number): Token {
    switch (char) {
      case code.asterisk:
        return scanAnchor(this.#cursor, "alias");
      case code.ampersand:
        return scanAnchor(this.#cursor, "anchor");
      case code.exclamation:
        return scanTag(this.#cursor);
      case code.singleQuote:
        return scanFlowScalar(this.#cursor, "'");
      case code.doubleQuote:
        return scanFlowScalar(this.#cursor, '"');
      default:
        return this.#scanPlain();
    }
  }

  #scanPlain(): Token {
    const context = { indent: this.#indent + 1, inFlow: this.#inFlow(), version11: this.version11 };
    const token = scanPlainScalar(this.#cursor, context);
    this.#keyAllowed = wentPastLine(token, this.#cursor);
    return token;
  }

  // What's allowed at this position.

  #inFlow(): boolean {
    return this.#flow.length > 0;
  }

  #isValueIndicator(): boolean {
    const separated = isBlankOrEnd(this.#cursor.peek(1));
    if (!this.#inFlow() || separated || this.version11) {
      return separated || this.#inFlow();
    }
    return this.#flow.at(-1) === "{" && this.#queue.last()?.kind !== "value";
  }

  #startsPlain(char: number): boolean {
    if (!isBlankOrEnd(char) && !indicators.has(char)) {
      return true;
    }
    const next = this.#cursor.peek(1);
    if (char === code.colon && this.#inFlow() && !this.version11) {
      return next !== code.space && next !== code.tab;
    }
    const mayBegin =
      char === code.dash || (!this.#inFlow() && (char === code.question || char === code.colon));
    return mayBegin && !isBlankOrEnd(next);
  }

  #saveSimpleKey(): void {
    if (this.#keyAllowed) {
      const required = !this.#inFlow() && this.#indent === this.#cursor.column;
      this.#keys.save(this.#flow.length, { number: this.#queue.nextNumber, required }, this.#cursor);
    }
  }

  // Blocks.

  #openBlockHere(kind: TokenKind, what: string): void {
    if (this.#inFlow()) {
      return;
    }
    if (!this.#keyAllowed) {
      throw this.#error(`${what} isn't allowed here`);
    }
    this.#openBlock(kind, this.#cursor, this.#queue.nextNumber);
  }

  #openBlock(kind: TokenKind, at: Mark, number: number): void {
    if (this.#indent < at.column) {
      this.#outerIndents.push(this.#indent);
      this.#indent = at.column;
      this.#queue.insert(number, new Token(kind, at));
    }
  }

  #unwindIndent(column: number): void {
    if (this.#inFlow()) {
      return;
    }
    while (this.#indent > column) {
      this.#indent = this.#outerIndents.pop() ?? -1;
      this.#addIndicator("block end", 0);
    }
  }

  #error(reason: string): EditError {
    return new EditError(reason, this.#cursor.line + 1);
  }
}

/** The indicators that can't start a plain scalar, except for `-`, `?`, and `:` before anything visible. */
const indicators: ReadonlySet<number> = new Set(
  Array.from("-?:,[]{}#&*!|>'\"%@`", (char) => char.charCodeAt(0)),
);

function startsNodePart(char: number): boolean {
  switch (char) {
    case code.asterisk:
    case code.ampersand:
    case code.exclamation:
    case code.singleQuote:
    case code.doubleQuote:
      return true;
    default:
      return false;
  }
}

function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === code.space) {
    end -= 1;
  }
  return text.slice(0, end);
}

function describe(char: number): string {
  return char === code.tab ? "a tab" : JSON.stringify(String.fromCodePoint(char));
}
