/** After this many pieces, they're joined: until then, each piece takes memory of its own, whatever its length. */
const mostPieces = 1024;

/** Joins any number of pieces to a text, using only the memory of the text itself. */
export class TextBuilder {
  #whole = "";
  #recent = "";
  #pieces = 0;

  /** The number of characters so far. */
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

/** V8 stores a concatenated text as a tree of its pieces, and joins them when it has to search the text. */
function makeOne(text: string): void {
  text.search(/\0/);
}
