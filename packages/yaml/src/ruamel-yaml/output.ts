import { widthOf } from "../characters.ts";
import { TextBuilder } from "../text-builder.ts";
import { EditError } from "./errors.ts";

/** A line that is longer is folded at the next opportunity. */
export const bestWidth = 80;

/**
 * The text written so far, and where on the line it ends. `indent` is where the current collection's lines
 * begin; nothing at the root.
 */
export class Output {
  column = 0;
  indent: number | undefined = undefined;
  /** The last character is white space, or the line is empty. */
  whitespace = true;
  /** So far the line has nothing but spaces, `-`, `?` and `:`. */
  indention = true;
  /** The next line break is left out: what comes belongs on this line. */
  noNewline = false;
  /** What is being written may have characters beyond U+FFFF. */
  wide = false;
  private readonly written = new TextBuilder();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** All that was written. */
  get text(): string {
    return this.written.text;
  }

  /** Whether the line is past its best width. */
  isWide(): boolean {
    return this.column > bestWidth;
  }

  /** Writes what takes no part in the layout: the column stays. */
  put(data: string): void {
    if (this.written.length + data.length > this.limit) {
      throw new EditError("the edited file would be many times as long as it was");
    }
    this.written.add(data);
  }

  /** Writes text, and counts its characters. */
  write(data: string): void {
    this.put(data);
    this.column += this.wide ? widthOf(data) : data.length;
  }

  /** Writes an indicator, after a space where one is needed and not there. */
  indicator(data: string, needsSpace: boolean): void {
    this.write(this.whitespace || !needsSpace ? data : ` ${data}`);
    this.whitespace = false;
    this.indention = false;
  }

  /** Writes the bracket or brace that begins a flow collection: what follows needs no space. */
  opening(data: string): void {
    this.indicator(data, true);
    this.whitespace = true;
  }

  /** Writes a `-`, `?` or `:` that counts as indentation. */
  blockIndicator(data: string): void {
    const { indention } = this;
    this.indicator(data, true);
    this.indention = indention;
  }

  /** Goes to the indentation, on a new line unless this one is fit. */
  toIndent(): void {
    const indent = this.indent ?? 0;
    const isFit = this.indention && (this.column < indent || (this.column === indent && this.whitespace));
    if (!isFit) {
      if (this.noNewline) {
        this.noNewline = false;
      } else {
        this.lineBreak();
      }
    }
    if (this.column < indent) {
      this.whitespace = true;
      this.write(" ".repeat(indent - this.column));
    }
  }

  /** Ends the line, with a line break of another kind where one is given. */
  lineBreak(data = "\n"): void {
    this.whitespace = true;
    this.indention = true;
    this.column = 0;
    this.put(data);
  }
}
