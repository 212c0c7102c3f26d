import { code, isBreakOrEnd, isLowSurrogate } from "../characters.ts";
import { YamlError } from "./errors.ts";
import type { SourceText } from "./source-text.ts";

/**
 * A place in a text. The text ends in a NUL, which stands nowhere else in it, so that looking ahead needs no
 * bounds check. Columns are counted in places of the string, which differ from characters only behind one
 * beyond U+FFFF: nothing that is indented comes after such a one on its line.
 */
export class Cursor {
  readonly text: string;
  position = 0;
  /** Counts from 0. All five line breaks of YAML 1.1 begin a new line. */
  line = 0;
  private lineStart = 0;
  private readonly fault: string | undefined;

  constructor({ text, fault }: SourceText) {
    this.text = `${text}\0`;
    this.fault = fault;
  }

  get column(): number {
    return this.position - this.lineStart;
  }

  /** The code of the character so many places ahead. */
  peek(ahead = 0): number {
    const char = this.text.charCodeAt(this.position + ahead);
    return char === code.end ? this.end() : char;
  }

  /** Goes past a line break, if there is one, and gives it as it counts in a value; "" where there is none. */
  takeBreak(): string {
    switch (this.peek()) {
      case code.lineFeed:
      case code.nextLine:
        return this.startLine(1, "\n");
      case code.carriageReturn:
        return this.startLine(this.peek(1) === code.lineFeed ? 2 : 1, "\n");
      case code.lineSeparator:
        return this.startLine(1, "\u2028");
      case code.paragraphSeparator:
        return this.startLine(1, "\u2029");
      default:
        return "";
    }
  }

  /** Goes to the end of the line. */
  skipLine(): void {
    let { position } = this;
    while (!isBreakOrEnd(this.text.charCodeAt(position))) {
      position += 1;
    }
    this.position = position;
  }

  /** Counts a last line without a break as a line. */
  endLine(): void {
    if (this.column !== 0) {
      this.startLine(0, "");
    }
  }

  /** Goes past spaces and tabs. */
  skipBlanks(): void {
    while (this.peek() === code.space || this.peek() === code.tab) {
      this.position += 1;
    }
  }

  /** Goes past a comment, if there is one. */
  skipComment(): void {
    if (this.peek() === code.hash) {
      this.skipLine();
    }
  }

  /** Goes past what is left of a line that may end in a comment; false where something else stands there. */
  skipRestOfLine(): boolean {
    this.skipBlanks();
    this.skipComment();
    if (!isBreakOrEnd(this.peek())) {
      return false;
    }
    this.takeBreak();
    return true;
  }

  /** How many characters stand before this place, from another one on. */
  charactersSince(position: number): number {
    let count = this.position - position;
    for (let at = position; at < this.position; at += 1) {
      if (isLowSurrogate(this.text.charCodeAt(at))) {
        count -= 1;
      }
    }
    return count;
  }

  private startLine(width: number, lineBreak: string): string {
    this.position += width;
    this.line += 1;
    this.lineStart = this.position;
    return lineBreak;
  }

  /** The text ends; where it was cut short, this is where that shows. */
  private end(): number {
    if (this.fault !== undefined) {
      throw new YamlError(this.fault);
    }
    return code.end;
  }
}
