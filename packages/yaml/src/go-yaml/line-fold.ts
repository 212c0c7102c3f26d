import { TextBuilder } from "../text-builder.ts";

/**
 * The line breaks between two lines of a scalar. A single line feed becomes a space; if empty lines follow, the first
 * line break is removed and the others stay. The Unicode separators always stay.
 */
export class LineFold {
  readonly #first: string;
  #others: TextBuilder | undefined;

  constructor(first: string) {
    this.#first = first;
  }

  add(lineBreak: string): void {
    this.#others ??= new TextBuilder();
    this.#others.add(lineBreak);
  }

  /** The form of the line breaks in the value. */
  join(): string {
    const others = this.#others?.text ?? "";
    if (this.#first !== "\n") {
      return this.#first + others;
    }
    return others === "" ? " " : others;
  }
}
