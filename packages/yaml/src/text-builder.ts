/** After so many pieces the text is made one: until then each of them costs memory of its own, whatever its length. */
const mostPieces = 1024;

/** Puts a text together from any number of pieces, in memory that the text itself needs, and not its pieces. */
export class TextBuilder {
  #whole = "";
  #recent = "";
  #pieces = 0;

  /** How many characters the text has so far. */
  get length(): number {
    return this.#whole.length + this.#recent.length;
  }

  /** The text so far. */
  get text(): string {
    return this.#whole + this.#recent;
  }

  add(piece: string): void {
    this.#recent += piece;
    this.#pieces += 1;
    if (this.#pieces === mostPieces) {
      makeOne(this.#recent);
      this.#whole += this.#recent;
      this.#recent = "";
      this.#pieces = 0;
    }
  }
}

/** V8 keeps a text that was added to as a tree of its pieces, and makes it one where it has to search it. */
function makeOne(text: string): void {
  text.search(/\0/);
}
