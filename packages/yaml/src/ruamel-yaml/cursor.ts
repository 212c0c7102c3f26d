import { code, isLowSurrogate } from "../characters.ts";

/** A position in the text. */
export interface Mark {
  readonly line: number;
  readonly column: number;
  readonly position: number;
}

/**
 * A position in the text, with its line and column. The text ends with a NUL, which occurs nowhere else in it, so
 * looking ahead needs no bounds check. A byte order mark takes no column, and a character beyond U+FFFF takes one.
 */
export class Cursor {
  readonly text: string;
  position = 0;
  line = 0;
  #lineStart = 0;
  #pairs = 0;
  readonly #irregular: boolean;

  constructor(text: string) {
    this.text = `${text}\0`;
    this.#irregular = /[\ufeff\ud800-\udfff]/.test(text);
  }

  get column(): number {
    return this.position - this.#lineStart;
  }

  /** The number of characters before this position. */
  get index(): number {
    return this.position - this.#pairs;
  }

  /** The code of the character at this distance ahead. */
  peek(ahead = 0): number {
    return this.text.charCodeAt(this.position + ahead);
  }

  /** Skips characters on this line. */
  skip(count: number): void {
    const from = this.position;
    this.position += count;
    if (this.#irregular) {
      this.#countIrregular(from);
    }
  }

  /** Skips characters on this line, and returns them. */
  take(count: number): string {
    const from = this.position;
    this.skip(count);
    return this.text.slice(from, this.position);
  }

  /** Skips spaces. */
  skipSpaces(): void {
    while (this.peek() === code.space) {
      this.position += 1;
    }
  }

  /** True if the text continues with this prefix. */
  startsWith(prefix: string): boolean {
    return this.text.startsWith(prefix, this.position);
  }

  /** Skips one character of any kind and returns it; the CR of a CRLF doesn't end the line yet. */
  takeAny(): string {
    const char = this.peek();
    this.skip(1);
    const endsLine =
      char === code.lineFeed || (char === code.carriageReturn && this.peek() !== code.lineFeed);
    if (endsLine) {
      this.#startLine();
    }
    return String.fromCharCode(char);
  }

  /**
   * Skips a line break, if there's one, and returns its form in a value: `\n` for LF, CR, CRLF, and NEL, the Unicode
   * separators unchanged, "" if there's none. Only the first three start a new line.
   */
  takeBreak(): string {
    switch (this.peek()) {
      case code.carriageReturn:
        this.position += this.peek(1) === code.lineFeed ? 2 : 1;
        this.#startLine();
        return "\n";
      case code.lineFeed:
        this.position += 1;
        this.#startLine();
        return "\n";
      case code.nextLine:
        this.position += 1;
        return "\n";
      case code.lineSeparator:
      case code.paragraphSeparator:
        return this.take(1);
      default:
        return "";
    }
  }

  #startLine(): void {
    this.line += 1;
    this.#lineStart = this.position;
  }

  #countIrregular(from: number): void {
    for (let at = from; at < this.position; at += 1) {
      const char = this.text.charCodeAt(at);
      if (isLowSurrogate(char)) {
        this.#pairs += 1;
        this.#lineStart += 1;
      } else if (char === code.byteOrderMark) {
        this.#lineStart += 1;
      }
    }
  }
}
