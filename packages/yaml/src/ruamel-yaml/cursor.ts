import { code, isLowSurrogate } from "../characters.ts";

/** A place in the text. */
export interface Mark {
  readonly line: number;
  readonly column: number;
  readonly position: number;
}

/**
 * A place in the text, with its line and column. The text ends in a NUL, which stands nowhere else in it, so
 * that looking ahead needs no bounds check. A byte order mark takes no column, a character beyond U+FFFF one.
 */
export class Cursor {
  readonly text: string;
  position = 0;
  line = 0;
  private lineStart = 0;
  private pairs = 0;
  private readonly irregular: boolean;

  constructor(text: string) {
    this.text = `${text}\0`;
    this.irregular = /[\ufeff\ud800-\udfff]/.test(text);
  }

  get column(): number {
    return this.position - this.lineStart;
  }

  /** How many characters lie before this place. */
  get index(): number {
    return this.position - this.pairs;
  }

  /** The code of the character so many places ahead. */
  peek(ahead = 0): number {
    return this.text.charCodeAt(this.position + ahead);
  }

  /** Goes past characters that are on this line. */
  skip(count: number): void {
    const from = this.position;
    this.position += count;
    if (this.irregular) {
      this.countIrregular(from);
    }
  }

  /** Goes past characters that are on this line, and gives them. */
  take(count: number): string {
    const from = this.position;
    this.skip(count);
    return this.text.slice(from, this.position);
  }

  /** Goes past spaces. */
  skipSpaces(): void {
    while (this.peek() === code.space) {
      this.position += 1;
    }
  }

  /** Whether the text goes on with this. */
  startsWith(prefix: string): boolean {
    return this.text.startsWith(prefix, this.position);
  }

  /** Goes past one character of any kind and gives it; the CR of a CRLF is not yet the end of its line. */
  takeAny(): string {
    const char = this.peek();
    this.skip(1);
    const endsLine =
      char === code.lineFeed || (char === code.carriageReturn && this.peek() !== code.lineFeed);
    if (endsLine) {
      this.startLine();
    }
    return String.fromCharCode(char);
  }

  /**
   * Goes past a line break, if there is one, and gives it as it counts in a value: `\n` for LF, CR, CRLF and
   * NEL, the Unicode separators as they are, "" where there is none. Only the first three begin a new line.
   */
  takeBreak(): string {
    switch (this.peek()) {
      case code.carriageReturn:
        this.position += this.peek(1) === code.lineFeed ? 2 : 1;
        this.startLine();
        return "\n";
      case code.lineFeed:
        this.position += 1;
        this.startLine();
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

  private startLine(): void {
    this.line += 1;
    this.lineStart = this.position;
  }

  private countIrregular(from: number): void {
    for (let at = from; at < this.position; at += 1) {
      const char = this.text.charCodeAt(at);
      if (isLowSurrogate(char)) {
        this.pairs += 1;
        this.lineStart += 1;
      } else if (char === code.byteOrderMark) {
        this.lineStart += 1;
      }
    }
  }
}
