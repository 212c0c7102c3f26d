import { code, isBreakOrEnd, isLowSurrogate } from "../characters.ts";
import { YamlError } from "./errors.ts";
import type { SourceText } from "./source-text.ts";

/** A comment, without its `#`. Lines and columns are counted from 0. */
export interface SourceComment {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** A position, its line, counted from 0, and where that line starts. */
export interface Place {
  readonly position: number;
  readonly line: number;
  readonly lineStart: number;
}

/**
 * A position in a text. The text ends with a NUL, which occurs nowhere else in it, so looking ahead needs no bounds
 * check. Columns are counted in UTF-16 units. These differ from characters only after one beyond U+FFFF, and no
 * indented content follows such a character on its line.
 */
export class Cursor {
  readonly text: string;
  position = 0;
  /** Counted from 0. All five line breaks of YAML 1.1 start a new line. */
  line = 0;
  #lineStart = 0;
  readonly #fault: string | undefined;

  readonly #comments: SourceComment[] | undefined;

  constructor({ text, fault }: SourceText, comments?: SourceComment[]) {
    this.text = `${text}\0`;
    this.#fault = fault;
    this.#comments = comments;
  }

  get column(): number {
    return this.position - this.#lineStart;
  }

  /** Continues at another position, of which the line is known. */
  moveTo({ position, line, lineStart }: Place): void {
    this.position = position;
    this.line = line;
    this.#lineStart = lineStart;
  }

  /** The code of the character at this distance ahead. */
  peek(ahead = 0): number {
    const char = this.text.charCodeAt(this.position + ahead);
    return char === code.end ? this.#end() : char;
  }

  /** Skips a line break, if there's one, and returns its form in a value; "" if there's none. */
  takeBreak(): string {
    switch (this.peek()) {
      case code.lineFeed:
      case code.nextLine:
        return this.#startLine(1, "\n");
      case code.carriageReturn:
        return this.#startLine(this.peek(1) === code.lineFeed ? 2 : 1, "\n");
      case code.lineSeparator:
        return this.#startLine(1, "\u2028");
      case code.paragraphSeparator:
        return this.#startLine(1, "\u2029");
      default:
        return "";
    }
  }

  /** Skips to the end of the line. */
  skipLine(): void {
    let { position } = this;
    while (!isBreakOrEnd(this.text.charCodeAt(position))) {
      position += 1;
    }
    this.position = position;
  }

  /** Counts a last line without a line break as a line. */
  endLine(): void {
    if (this.column !== 0) {
      this.#startLine(0, "");
    }
  }

  /** Skips spaces and tabs. */
  skipBlanks(): void {
    while (this.peek() === code.space || this.peek() === code.tab) {
      this.position += 1;
    }
  }

  /** Skips a comment, if there's one. */
  skipComment(): void {
    if (this.peek() === code.hash) {
      const { line, column, position } = this;
      this.skipLine();
      this.#comments?.push({ line, column, text: this.text.slice(position + 1, this.position) });
    }
  }

  /** Skips the rest of a line, which may be a comment; false if there's anything else. */
  skipRestOfLine(): boolean {
    this.skipBlanks();
    this.skipComment();
    if (!isBreakOrEnd(this.peek())) {
      return false;
    }
    this.takeBreak();
    return true;
  }

  /** The number of characters between another position and this one. */
  charactersSince(position: number): number {
    let count = this.position - position;
    for (let at = position; at < this.position; at += 1) {
      if (isLowSurrogate(this.text.charCodeAt(at))) {
        count -= 1;
      }
    }
    return count;
  }

  #startLine(width: number, lineBreak: string): string {
    this.position += width;
    this.line += 1;
    this.#lineStart = this.position;
    return lineBreak;
  }

  /** The end of the text; if the text was cut short, this reports why. */
  #end(): number {
    if (this.#fault !== undefined) {
      throw new YamlError(this.#fault);
    }
    return code.end;
  }
}
