import { widthOf } from "../characters.ts";
import { TextBuilder } from "../text-builder.ts";
import { EditError } from "./errors.ts";

/** A longer line is folded at the next opportunity. */
export const bestWidth = 80;

/**
 * The text written so far, and the column where it ends. `indent` is the indentation of the current collection;
 * undefined at the root.
 */
export class Output {
  column = 0;
  indent: number | undefined = undefined;
  /** True if the last character is white space, or the line is empty. */
  whitespace = true;
  /** True if the line contains only spaces, `-`, `?`, and `:` so far. */
  indention = true;
  /** True to leave out the next line break, because the next text belongs on this line. */
  noNewline = false;
  /** True if the text being written may contain characters beyond U+FFFF. */
  wide = false;
  readonly #written = new TextBuilder();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Everything that was written. */
  get text(): string {
    return this.#written.text;
  }

  /** True if the line is longer than its best width. */
  isWide(): boolean {
    return this.column > bestWidth;
  }

  /** Writes text that doesn't affect the layout: the column stays the same. */
  put(data: string): void {
    if (this.#written.length + data.length > this.#limit) {
      throw new EditError("the edited file would be many times larger than the original");
    }
    this.#written.add(data);
  }

  /** Writes text, and counts its characters. */
  write(data: string): void {
    this.put(data);
    this.column += this.wide ? widthOf(data) : data.length;
  }

  /** Writes an indicator, after a space if it needs one. */
  indicator(data: string, needsSpace: boolean): void {
    this.write(this.whitespace || !needsSpace ? data : ` ${data}`);
    this.whitespace = false;
    this.indention = false;
  }

  /** Writes the opening bracket or brace of a flow collection, after which no space is needed. */
  opening(data: string): void {
    this.indicator(data, true);
    this.whitespace = true;
  }

  /** Writes a `-`, `?`, or `:` that counts as indentation. */
  blockIndicator(data: string): void {
    const { indention } = this;
    this.indicator(data, true);
    this.indention = indention;
  }

  /** Moves to the indentation, on a new line if necessary. */
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

  /** Ends the line, optionally with another kind of line break. */
  lineBreak(data = "\n"): void {
    this.whitespace = true;
    this.indention = true;
    this.column = 0;
    this.put(data);
  }
}
