import { manifestLimits } from "@weir/base";
import { code, isBlankOrEnd } from "../characters.ts";
import { Cursor, type SourceComment } from "./cursor.ts";
import { isDocumentIndicator } from "./document-indicator.ts";
import { scannerError, tooLargeRemedy, type YamlError } from "./errors.ts";
import { scanBlock } from "./scan-block.ts";
import { scanDirective } from "./scan-directive.ts";
import { scanPlain } from "./scan-plain.ts";
import { scanAnchorName, scanTag } from "./scan-properties.ts";
import { scanQuoted } from "./scan-quoted.ts";
import type { SourceText } from "./source-text.ts";
import { indicator, type SimpleKey, type Token, type TokenKind } from "./token.ts";

/** The maximum number of characters between the start of a key and its `:`. */
const longestKey = 1024;

/** The maximum depth of nested collections, for those with brackets and for those without. */
const deepest = 10_000;

/** The indicators that can't start a plain scalar, except for `-`, `?`, and `:` before anything visible. */
const indicators: ReadonlySet<number> = new Set(
  Array.from("-?:,[]{}#&*!|>'\"%@`", (char) => char.charCodeAt(0)),
);

/**
 * Converts text to tokens by the rules of libyaml, on which Go's yaml.v2 is based: refuses what it refuses, with the
 * same error on the same line. A token that may be a key isn't returned before that's decided, so that errors are also
 * in libyaml's order. All methods throw YamlError.
 */
export class Scanner {
  readonly #cursor: Cursor;
  readonly #queue: Token[] = [];
  #taken = 0;
  #done = false;
  #documentStart = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;
  #keyAllowed = true;
  /** The last possible key of each flow level. */
  readonly #keys: SimpleKey[] = [noKey(0)];
  /** The flow levels whose keys start at tokens, by token number. */
  readonly #levels = new Map<number, number>();

  /** Adds the comments that it passes to `comments`. */
  constructor(source: SourceText, comments?: SourceComment[]) {
    this.#cursor = new Cursor(source, comments);
  }

  /** Before anything was read: starts at the start of another line, with a new document. */
  startAt({ position, line }: { readonly position: number; readonly line: number }): void {
    this.#cursor.moveTo({ position, line, lineStart: position });
    this.#documentStart = position;
  }

  /** The next token, without removing it. */
  peek(): Token {
    let [token] = this.#queue;
    while (token === undefined || this.#mayBeKey(this.#taken)) {
      this.#fetch();
      [token] = this.#queue;
    }
    return token;
  }

  /** Removes the next token, which must have been read with `peek`. */
  skip(): void {
    this.#queue.shift();
    this.#taken += 1;
  }

  // Fetches one more token.

  #fetch(): void {
    if (this.#done) {
      this.#push("stream end");
      return;
    }
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#checkDocumentLength();
    this.#closeBlocks(cursor.column);
    const char = cursor.peek();
    if (char === code.end) {
      this.#fetchStreamEnd();
    } else if (cursor.column === 0 && char === code.percent) {
      this.#endDocument();
      this.#queue.push(scanDirective(cursor));
    } else if (isDocumentIndicator(cursor)) {
      this.#endDocument();
      this.#push(char === code.dash ? "document start" : "document end", 3);
    } else if (!this.#fetchFlowIndicator(char) && !this.#fetchBlockIndicator(char)) {
      this.#fetchNodePart(char);
    }
  }

  #fetchFlowIndicator(char: number): boolean {
    switch (char) {
      case code.openBracket:
        this.#openFlow("flow sequence start");
        return true;
      case code.openBrace:
        this.#openFlow("flow mapping start");
        return true;
      case code.closeBracket:
        this.#closeFlow("flow sequence end");
        return true;
      case code.closeBrace:
        this.#closeFlow("flow mapping end");
        return true;
      case code.comma:
        this.#dropKey();
        this.#keyAllowed = true;
        this.#push("flow entry", 1);
        return true;
      default:
        return false;
    }
  }

  /** Handles `-`, `?`, and `:`; inside brackets, the last two don't need white space after them. */
  #fetchBlockIndicator(char: number): boolean {
    if (char !== code.dash && char !== code.question && char !== code.colon) {
      return false;
    }
    const separated = isBlankOrEnd(this.#cursor.peek(1));
    if (!separated && (char === code.dash || this.#flowLevel === 0)) {
      return false;
    }
    if (char === code.dash) {
      this.#fetchEntry();
    } else if (char === code.question) {
      this.#fetchKey();
    } else {
      this.#fetchValue();
    }
    return true;
  }

  #fetchNodePart(char: number): void {
    switch (char) {
      case code.asterisk:
      case code.ampersand: {
        this.#saveKey();
        const { line } = this.#cursor;
        const text = scanAnchorName(this.#cursor);
        const kind = char === code.asterisk ? "alias" : "anchor";
        this.#queue.push({ ...indicator(kind, line), text });
        return;
      }
      case code.exclamation: {
        this.#saveKey();
        const { line } = this.#cursor;
        const { handle, suffix } = scanTag(this.#cursor);
        this.#queue.push({ ...indicator("tag", line), handle, text: suffix });
        return;
      }
      default:
        this.#fetchScalar(char);
    }
  }

  #fetchScalar(char: number): void {
    if (char === code.singleQuote || char === code.doubleQuote) {
      this.#saveKey();
      const { line } = this.#cursor;
      const text = scanQuoted(this.#cursor, char === code.singleQuote ? "'" : '"');
      this.#pushScalar(line, text, false);
    } else if ((char === code.pipe || char === code.greater) && this.#flowLevel === 0) {
      this.#dropKey();
      this.#keyAllowed = true;
      const { line } = this.#cursor;
      const text = scanBlock(this.#cursor, char === code.pipe ? "|" : ">", this.#indent);
      this.#pushScalar(line, text, false);
    } else {
      this.#fetchPlain(char);
    }
  }

  #fetchPlain(char: number): void {
    if (!this.#startsPlain(char)) {
      throw this.#error("found character that cannot start any token");
    }
    this.#saveKey();
    const { line } = this.#cursor;
    const { text, endedLine } = scanPlain(this.#cursor, {
      indent: this.#indent + 1,
      inFlow: this.#flowLevel > 0,
    });
    this.#pushScalar(line, text, true);
    if (endedLine) {
      this.#keyAllowed = true;
    }
  }

  #startsPlain(char: number): boolean {
    if (!isBlankOrEnd(char) && !indicators.has(char)) {
      return true;
    }
    const mayBegin = char === code.dash || char === code.question || char === code.colon;
    return mayBegin && (char === code.dash || this.#flowLevel === 0) && !isBlankOrEnd(this.#cursor.peek(1));
  }

  // Each kind of indicator.

  #fetchStreamEnd(): void {
    this.#cursor.endLine();
    this.#endDocument();
    this.#done = true;
    this.#push("stream end");
  }

  #endDocument(): void {
    this.#documentStart = this.#cursor.position;
    this.#closeBlocks(-1);
    this.#dropKey();
    this.#keyAllowed = false;
  }

  #openFlow(kind: TokenKind): void {
    this.#saveKey();
    this.#keys.push(noKey(this.#nextNumber));
    this.#flowLevel += 1;
    if (this.#flowLevel > deepest) {
      throw this.#error(`exceeded max depth of ${deepest}`);
    }
    this.#keyAllowed = true;
    this.#push(kind, 1);
  }

  #closeFlow(kind: TokenKind): void {
    this.#dropKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel -= 1;
      this.#forget(this.#keys.pop());
    }
    this.#keyAllowed = false;
    this.#push(kind, 1);
  }

  #fetchEntry(): void {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) {
        throw this.#error("block sequence entries are not allowed in this context");
      }
      this.#openBlock("block sequence start", this.#cursor.column, this.#cursor.line);
    }
    this.#dropKey();
    this.#keyAllowed = true;
    this.#push("block entry", 1);
  }

  #fetchKey(): void {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) {
        throw this.#error("mapping keys are not allowed in this context");
      }
      this.#openBlock("block mapping start", this.#cursor.column, this.#cursor.line);
    }
    this.#dropKey();
    this.#keyAllowed = this.#flowLevel === 0;
    this.#push("key", 1);
  }

  #fetchValue(): void {
    const key = this.#keys.at(-1);
    if (key !== undefined && this.#isPossible(key)) {
      const at = key.tokenNumber - this.#taken;
      this.#insert(at, indicator("key", key.line));
      this.#openBlock("block mapping start", key.column, key.line, at);
      key.possible = false;
      this.#forget(key);
      this.#keyAllowed = false;
    } else {
      this.#fetchValueOfLongKey();
    }
    this.#push("value", 1);
  }

  #fetchValueOfLongKey(): void {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) {
        throw this.#error("mapping values are not allowed in this context");
      }
      this.#openBlock("block mapping start", this.#cursor.column, this.#cursor.line);
    }
    this.#keyAllowed = this.#flowLevel === 0;
  }

  /** Inserts a token where a key turned out to start; after all others if that position was already returned. */
  #insert(at: number, token: Token): void {
    this.#queue.splice(at < 0 ? this.#queue.length : at, 0, token);
  }

  #push(kind: TokenKind, width = 0): void {
    this.#queue.push(indicator(kind, this.#cursor.line));
    this.#cursor.position += width;
  }

  /** Comment lines count too, since they're also read again and again. */
  #checkDocumentLength(): void {
    const { documentCharacters } = manifestLimits;
    if (this.#cursor.position - this.#documentStart > documentCharacters) {
      throw this.#error(`document is longer than ${documentCharacters} characters; ${tooLargeRemedy}`);
    }
  }

  #pushScalar(line: number, text: string, plain: boolean): void {
    const { scalarCharacters } = manifestLimits;
    if (text.length > scalarCharacters) {
      throw scannerError(`text is longer than ${scalarCharacters} characters; ${tooLargeRemedy}`, line);
    }
    this.#queue.push({ kind: "scalar", line, column: -1, text, handle: "", plain });
  }

  // Keys without a `?`.

  get #nextNumber(): number {
    return this.#taken + this.#queue.length;
  }

  #mayBeKey(tokenNumber: number): boolean {
    const level = this.#levels.get(tokenNumber);
    const key = level === undefined ? undefined : this.#keys[level];
    return key !== undefined && this.#isPossible(key);
  }

  /** Remembers that the next token may be a key. No key can start right after it. */
  #saveKey(): void {
    const { line, column, position } = this.#cursor;
    if (this.#keyAllowed) {
      this.#dropKey();
      const tokenNumber = this.#nextNumber;
      const required = this.#flowLevel === 0 && this.#indent === column;
      this.#keys[this.#flowLevel] = { possible: true, required, tokenNumber, position, line, column };
      this.#levels.set(tokenNumber, this.#flowLevel);
    }
    this.#keyAllowed = false;
  }

  /** Drops the key of this level because something other than a `:` follows. */
  #dropKey(): void {
    const key = this.#keys.at(-1);
    if (key?.possible === true) {
      if (key.required) {
        throw this.#error("could not find expected ':'");
      }
      key.possible = false;
      this.#forget(key);
    }
  }

  /**
   * Allows the token where a key would have started to be returned. As in yaml.v2, a collection in brackets without a
   * key of its own forgets that it may be a key itself.
   */
  #forget(key: SimpleKey | undefined): void {
    if (key !== undefined) {
      this.#levels.delete(key.tokenNumber);
    }
  }

  /** True if a `:` can still follow: on the same line, and not too far away. */
  #isPossible(key: SimpleKey): boolean {
    const cursor = this.#cursor;
    if (!key.possible) {
      return false;
    }
    const isFar =
      cursor.position - key.position > longestKey && cursor.charactersSince(key.position) > longestKey;
    if (key.line < cursor.line || isFar) {
      if (key.required) {
        throw this.#error("could not find expected ':'");
      }
      key.possible = false;
    }
    return key.possible;
  }

  // Indentation.

  /** Starts a collection if this column is deeper than the surrounding one. */
  #openBlock(kind: TokenKind, column: number, line: number, at = this.#queue.length): void {
    if (this.#flowLevel > 0 || this.#indent >= column) {
      return;
    }
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > deepest) {
      throw this.#error(`exceeded max depth of ${deepest}`);
    }
    this.#insert(at, indicator(kind, line, column));
  }

  /** Ends the collections that are deeper than this column. */
  #closeBlocks(column: number): void {
    if (this.#flowLevel > 0) {
      return;
    }
    while (this.#indent > column) {
      this.#push("block end");
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  // White space and comments.

  /** A tab is white space only where no key can start. */
  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      while (
        cursor.peek() === code.space ||
        (cursor.peek() === code.tab && (this.#flowLevel > 0 || !this.#keyAllowed))
      ) {
        cursor.position += 1;
      }
      cursor.skipComment();
      if (cursor.takeBreak() === "") {
        return;
      }
      if (this.#flowLevel === 0) {
        this.#keyAllowed = true;
      }
    }
  }

  #error(problem: string): YamlError {
    return scannerError(problem, this.#cursor.line);
  }
}

/** The initial state of a flow level; the number is that of its opening bracket. */
function noKey(tokenNumber: number): SimpleKey {
  return { possible: false, required: false, tokenNumber, position: 0, line: 0, column: 0 };
}
