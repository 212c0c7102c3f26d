import { code } from "../characters.ts";
import { Cursor } from "./cursor.ts";
import { YamlError } from "./errors.ts";
import { resolvePlain } from "./resolve.ts";
import { scanBlock } from "./scan-block.ts";
import type { SourceText } from "./source-text.ts";
import type { YamlValue } from "./value.ts";

/** Longer documents are read in steps, so that other work can run between them. */
const longestDocument = 64 * 1024;

/** Nesting is limited because it uses the stack. */
const deepest = 64;

/** Longer keys may not be keys: see Scanner. */
const longestKey = 512;

/** The text isn't what this reader understands; what it means is left to the parser. */
const unsure = Symbol("unsure");

type Unsure = typeof unsure;

/** No more content in this document. */
const noLine = -1;

/** A document that was read. */
export interface QuickDocument {
  readonly value: YamlValue;
  /** The value is plain JSON; see YamlDocument. */
  readonly isJson: boolean;
  /** The line where it starts, counted from 0. */
  readonly line: number;
}

/**
 * Reads documents several times as fast as the parser, as long as they contain nothing but what nearly all manifests
 * consist of: mappings with texts as keys, sequences, comments, literal blocks, and scalars on one line, also in
 * brackets. It needs no tokens for that, because in such a text, the start of each line says what it is. At anything
 * else (anchors, tags, tabs, texts of several lines), and at everything that is an error, it stops before the document
 * that contains it. What it returns is what the parser would return.
 */
export class QuickReader {
  readonly #text: string;
  readonly #cursor: Cursor;
  #at = 0;
  #line = 0;
  #lineStart = 0;
  /** The column of the next content, on a new line; `noLine` at the end of the document. */
  #indent = noLine;
  #isJson = true;
  #isFirst = true;
  #depth = 0;

  constructor(source: SourceText) {
    this.#cursor = new Cursor(source);
    this.#text = this.#cursor.text;
  }

  /** The start of the next document; after a document that this reader can't read, of that document. */
  get place(): { readonly position: number; readonly line: number } {
    return { position: this.#at, line: this.#line };
  }

  /** The next document; "end" after the last one, "unsure" if only the parser can tell. */
  next(): QuickDocument | "end" | "unsure" {
    const { position, line } = this.place;
    const found = this.#document();
    if (found === unsure) {
      this.#at = position;
      this.#line = line;
      return "unsure";
    }
    this.#isFirst = false;
    return found ?? "end";
  }

  #document(): QuickDocument | undefined | Unsure {
    this.#isJson = true;
    this.#depth = 0;
    if (!this.#skipLines()) {
      return unsure;
    }
    const isMarked = this.#isMarker();
    if (!isMarked && this.#char() === code.end) {
      return undefined;
    }
    if (!isMarked && !this.#isFirst) {
      return unsure;
    }
    const line = this.#line;
    if (isMarked) {
      this.#at += 3;
      if (!this.#nextLine()) {
        return unsure;
      }
    }
    const value = this.#indent === noLine ? null : this.#isLong() ? unsure : this.#node(noLine);
    return value === unsure || this.#indent !== noLine ? unsure : { value, isJson: this.#isJson, line };
  }

  #isLong(): boolean {
    const next = this.#text.indexOf("\n---", this.#at);
    return (next < 0 ? this.#text.length : next) - this.#at > longestDocument;
  }

  // Nodes. Each is read up to the start of the next line with content.

  /** The node that starts on a line of its own; `around` is the column of the collection that contains it. */
  #node(around: number): YamlValue | Unsure {
    const char = this.#char();
    if (this.#isDash()) {
      return this.#nested(() => this.#sequence(this.#indent));
    }
    if (char === code.openBrace || char === code.openBracket) {
      return this.#inline(around);
    }
    return this.#nested(() => this.#mapping(this.#indent));
  }

  #mapping(column: number): YamlValue | Unsure {
    const mapping: Record<string, YamlValue> = {};
    do {
      const key = this.#key();
      if (key === unsure) {
        return unsure;
      }
      const value = this.#valueOfKey(column);
      if (value === unsure) {
        return unsure;
      }
      mapping[key] = value;
    } while (this.#indent === column);
    return this.#indent > column ? unsure : mapping;
  }

  #valueOfKey(column: number): YamlValue | Unsure {
    if (!this.#skipSpaces()) {
      return this.#inline(column);
    }
    if (!this.#nextLine()) {
      return unsure;
    }
    if (this.#indent > column) {
      return this.#node(column);
    }
    // The items of a sequence needn't be indented.
    return this.#indent === column && this.#isDash() ? this.#nested(() => this.#sequence(column)) : null;
  }

  #sequence(column: number): YamlValue | Unsure {
    const items: YamlValue[] = [];
    do {
      this.#at += 1;
      const item = this.#item(column);
      if (item === unsure) {
        return unsure;
      }
      items.push(item);
    } while (this.#indent === column && this.#isDash());
    return this.#indent > column ? unsure : items;
  }

  #item(column: number): YamlValue | Unsure {
    if (this.#skipSpaces()) {
      if (!this.#nextLine()) {
        return unsure;
      }
      return this.#indent > column ? this.#node(column) : null;
    }
    const inner = this.#at - this.#lineStart;
    if (this.#isDash()) {
      return this.#nested(() => this.#sequence(inner));
    }
    return this.#startsMapping() ? this.#nested(() => this.#mapping(inner)) : this.#inline(column);
  }

  #nested(read: () => YamlValue | Unsure): YamlValue | Unsure {
    this.#depth += 1;
    const value = this.#depth > deepest ? unsure : read();
    this.#depth -= 1;
    return value;
  }

  /** A scalar, or a collection in brackets, to the end of its line; `column` is that of the collection around it. */
  #inline(column: number): YamlValue | Unsure {
    const char = this.#char();
    if (char === code.pipe || char === code.greater) {
      return this.#literal(char === code.pipe ? "|" : ">", column);
    }
    const value = this.#inLine(char, false);
    if (value === unsure || !this.#nextLine()) {
      return unsure;
    }
    // A deeper line would continue a plain scalar; after anything else, it would be an error.
    return this.#indent > column ? unsure : value;
  }

  #inLine(char: number, inFlow: boolean): YamlValue | Unsure {
    switch (char) {
      case code.doubleQuote:
      case code.singleQuote:
        return this.#quoted(char);
      case code.openBrace:
        return this.#nested(() => this.#flowMapping());
      case code.openBracket:
        return this.#nested(() => this.#flowSequence());
      default:
        return inFlow ? this.#flowPlain() : this.#plain();
    }
  }

  #literal(style: "|" | ">", column: number): YamlValue | Unsure {
    const cursor = this.#cursor;
    cursor.moveTo({ position: this.#at, line: this.#line, lineStart: this.#lineStart });
    try {
      const value = scanBlock(cursor, style, column);
      this.#line = cursor.line;
      // The indentation of the next line has been read.
      this.#at = cursor.peek() === code.end ? cursor.position : cursor.position - cursor.column;
      return this.#skipLines() && this.#indent <= column ? value : unsure;
    } catch (error) {
      if (error instanceof YamlError) {
        return unsure;
      }
      throw error;
    }
  }

  // Keys.

  /** True if a key starts here. */
  #startsMapping(): boolean {
    const { place } = this;
    const isKey = this.#key() !== unsure;
    this.#at = place.position;
    return isKey;
  }

  /** A key and its colon. */
  #key(): string | Unsure {
    const from = this.#at;
    const char = this.#char();
    const isQuoted = char === code.doubleQuote || char === code.singleQuote;
    const key = isQuoted ? this.#quoted(char) : this.#plainKey();
    const isKey =
      typeof key === "string" &&
      this.#at - from < longestKey &&
      key !== "__proto__" &&
      this.#char() === code.colon &&
      isSpaceOrEnd(this.#text.charCodeAt(this.#at + 1));
    if (!isKey) {
      return unsure;
    }
    this.#at += 1;
    return key;
  }

  #plainKey(): YamlValue | Unsure {
    const from = this.#at;
    const end = startsPlain(this.#text, from) ? plainEnd(this.#text, from) : from;
    this.#at = end;
    return end === from ? unsure : keyOf(this.#text.slice(from, end));
  }

  // Scalars on one line.

  #plain(): YamlValue | Unsure {
    const from = this.#at;
    const end = startsPlain(this.#text, from) ? plainEnd(this.#text, from) : from;
    if (end === from || this.#text.charCodeAt(end) === code.colon) {
      return unsure;
    }
    this.#at = end;
    return this.#resolved(this.#text.slice(from, end));
  }

  #resolved(text: string): YamlValue {
    const { value } = resolvePlain(text);
    this.#isJson &&= value === null || (typeof value !== "object" && typeof value !== "bigint");
    return value;
  }

  #quoted(quote: number): string | Unsure {
    const text = this.#text;
    let value = "";
    let from = this.#at + 1;
    for (let at = from; ; at += 1) {
      const char = text.charCodeAt(at);
      if (!isOrdinary(char)) {
        return unsure;
      }
      if (char === quote && (quote === code.doubleQuote || text.charCodeAt(at + 1) !== quote)) {
        this.#at = at + 1;
        return value === "" ? text.slice(from, at) : value + text.slice(from, at);
      }
      if (char === quote || (char === code.backslash && quote === code.doubleQuote)) {
        const escaped = char === quote ? "'" : escapes[text.charAt(at + 1)];
        if (escaped === undefined) {
          return unsure;
        }
        value += text.slice(from, at) + escaped;
        at += 1;
        from = at + 1;
      }
    }
  }

  // Collections in brackets.

  #flowMapping(): YamlValue | Unsure {
    const mapping: Record<string, YamlValue> = {};
    this.#at += 1;
    if (this.#skipSpace() === code.closeBrace) {
      this.#at += 1;
      return mapping;
    }
    for (;;) {
      const key = this.#flowKey();
      if (key === unsure) {
        return unsure;
      }
      const value = this.#inLine(this.#skipSpace(), true);
      if (value === unsure) {
        return unsure;
      }
      mapping[key] = value;
      const char = this.#skipSpace();
      this.#at += 1;
      if (char === code.closeBrace) {
        return mapping;
      }
      if (char !== code.comma) {
        return unsure;
      }
      this.#skipSpace();
    }
  }

  /** A key and its colon; after quotes, the value can follow immediately. */
  #flowKey(): string | Unsure {
    const from = this.#at;
    const char = this.#char();
    const isQuoted = char === code.doubleQuote || char === code.singleQuote;
    const key = isQuoted ? this.#quoted(char) : this.#flowPlainKey();
    const isKey =
      typeof key === "string" &&
      this.#at - from < longestKey &&
      key !== "__proto__" &&
      this.#char() === code.colon &&
      (isQuoted || isSpaceOrEnd(this.#text.charCodeAt(this.#at + 1)));
    if (!isKey) {
      return unsure;
    }
    this.#at += 1;
    return key;
  }

  #flowSequence(): YamlValue | Unsure {
    const items: YamlValue[] = [];
    this.#at += 1;
    if (this.#skipSpace() === code.closeBracket) {
      this.#at += 1;
      return items;
    }
    for (;;) {
      const item = this.#inLine(this.#skipSpace(), true);
      if (item === unsure) {
        return unsure;
      }
      items.push(item);
      const char = this.#skipSpace();
      this.#at += 1;
      if (char === code.closeBracket) {
        return items;
      }
      if (char !== code.comma) {
        return unsure;
      }
    }
  }

  #flowPlain(): YamlValue | Unsure {
    const text = this.#flowWord();
    return text === "" ? unsure : this.#resolved(text);
  }

  #flowPlainKey(): YamlValue | Unsure {
    return keyOf(this.#flowWord());
  }

  /** A scalar of letters, digits, and a few signs, which mean nothing in brackets; "" if there is none. */
  #flowWord(): string {
    const from = this.#at;
    let at = from;
    while (isFlowWordChar(this.#text.charCodeAt(at))) {
      at += 1;
    }
    const char = this.#text.charCodeAt(at);
    const isWhole = char === code.comma || char === code.colon || isSpaceOrEnd(char) || isClosing(char);
    this.#at = at;
    const word = this.#text.slice(from, at);
    // At the start of a line, it may be the end of the document, and a lone "-" is an error.
    return isWhole && from !== this.#lineStart && word !== "-" ? word : "";
  }

  /** Skips spaces and line breaks; returns the character after them. */
  #skipSpace(): number {
    for (;;) {
      const char = this.#char();
      if (char === code.lineFeed) {
        this.#line += 1;
        this.#lineStart = this.#at + 1;
      } else if (char !== code.space) {
        return char;
      }
      this.#at += 1;
    }
  }

  // Lines.

  #char(): number {
    return this.#text.charCodeAt(this.#at);
  }

  /** True for a `-` that starts an item. */
  #isDash(): boolean {
    return this.#char() === code.dash && isSpaceOrEnd(this.#text.charCodeAt(this.#at + 1));
  }

  /** True for a `---` at the start of a line, which starts a document, or a `...`, which ends one. */
  #isMarker(marker: "---" | "..." = "---"): boolean {
    return (
      this.#at === this.#lineStart &&
      this.#text.startsWith(marker, this.#at) &&
      isSpaceOrEnd(this.#text.charCodeAt(this.#at + 3))
    );
  }

  /** Skips spaces; true if nothing else but a comment follows on the line. */
  #skipSpaces(): boolean {
    while (this.#char() === code.space) {
      this.#at += 1;
    }
    const char = this.#char();
    return char === code.lineFeed || char === code.end || char === code.hash;
  }

  /** Skips the rest of the line, and lines without content; false if there's something left on this line. */
  #nextLine(): boolean {
    if (!this.#skipSpaces()) {
      return false;
    }
    if (this.#char() === code.hash && this.#text.charCodeAt(this.#at - 1) !== code.space) {
      return false;
    }
    return this.#endLine() && this.#skipLines();
  }

  /**
   * From the start of a line, skips lines without content and the indentation of the line after them; false if only the
   * parser can tell how it goes on.
   */
  #skipLines(): boolean {
    this.#lineStart = this.#at;
    while (this.#skipSpaces()) {
      if (this.#char() === code.end) {
        this.#indent = noLine;
        return true;
      }
      if (!this.#endLine()) {
        return false;
      }
      this.#lineStart = this.#at;
    }
    this.#indent = this.#isMarker() ? noLine : this.#at - this.#lineStart;
    return !this.#isMarker("...");
  }

  /** Skips a comment, if there is one, and the line feed; false if there's a character that may end the line. */
  #endLine(): boolean {
    if (this.#char() === code.hash) {
      while (isOrdinary(this.#char())) {
        this.#at += 1;
      }
    }
    if (this.#char() === code.lineFeed) {
      this.#at += 1;
      this.#line += 1;
      return true;
    }
    return this.#char() === code.end;
  }
}

/** Escapes in double quotes; others are rare. */
const escapes: Readonly<Partial<Record<string, string>>> = { n: "\n", t: "\t", '"': '"', "\\": "\\" };

/** A key that's a text; other keys, and the one that merges mappings, need more than an object. */
function keyOf(text: string): string | Unsure {
  return text !== "" && text !== "<<" && typeof resolvePlain(text).value === "string" ? text : unsure;
}

/** A space, a line feed, or the end. */
function isSpaceOrEnd(char: number): boolean {
  return char === code.space || char === code.lineFeed || char === code.end;
}

/** True for characters that stay as they are within a line: neither tabs, nor anything that may end a line. */
function isOrdinary(char: number): boolean {
  return (
    (char >= 0x20 && char < 0x7f) ||
    (char >= 0xa0 &&
      char !== code.lineSeparator &&
      char !== code.paragraphSeparator &&
      char !== code.byteOrderMark)
  );
}

/** True if a plain scalar starts here, outside of brackets. */
function startsPlain(text: string, at: number): boolean {
  const char = text.charCodeAt(at);
  return char === code.dash ? !isSpaceOrEnd(text.charCodeAt(at + 1)) : !isIndicator[char];
}

/** By character code, the characters that don't start a plain scalar, or not always. */
const isIndicator: readonly boolean[] = Array.from({ length: 0x80 }, (_, char) =>
  "-?:,[]{}#&*!|>'\"%@` \t\n\r\0".includes(String.fromCharCode(char)),
);

/** The end of a plain scalar on this line, before a colon, a comment, or spaces; its start if it isn't ordinary. */
function plainEnd(text: string, from: number): number {
  let end = from;
  for (let at = from; ; at += 1) {
    const char = text.charCodeAt(at);
    if (char === code.lineFeed || char === code.end) {
      return end;
    }
    if (!isOrdinary(char)) {
      return from;
    }
    if (char === code.colon && isSpaceOrEnd(text.charCodeAt(at + 1))) {
      return end === at ? at : from;
    }
    if (char === code.hash && end !== at) {
      return end;
    }
    if (char !== code.space) {
      end = at + 1;
    }
  }
}

/** `A` to `Z`, `a` to `z`, `0` to `9`, or one of `-_./+`. */
function isFlowWordChar(char: number): boolean {
  return (
    (char >= 0x61 && char <= 0x7a) ||
    (char >= 0x41 && char <= 0x5a) ||
    (char >= 0x2d && char <= 0x39) ||
    char === 0x5f ||
    char === code.plus
  );
}

function isClosing(char: number): boolean {
  return char === code.closeBrace || char === code.closeBracket;
}
