/** So many pieces are made one text at a time: each of them costs memory of its own, whatever its length. */
const mostPieces = 1024;

/** Puts a text together from any number of pieces, in memory that the text itself needs, and not its pieces. */
export class TextBuilder {
  #whole = "";
  /** What comes after it; most texts are one piece. */
  #pieces: string[] | undefined;
  #length = 0;

  /** How many characters the text has so far. */
  get length(): number {
    return this.#length;
  }

  /** The text so far. */
  get text(): string {
    return this.#pieces === undefined ? this.#whole : this.#whole + this.#pieces.join("");
  }

  add(piece: string): void {
    if (this.#length === 0) {
      this.#whole = piece;
    } else if (piece !== "") {
      this.#pieces ??= [];
      this.#pieces.push(piece);
      if (this.#pieces.length === mostPieces) {
        this.#whole += this.#pieces.join("");
        this.#pieces = undefined;
      }
    }
    this.#length += piece.length;
  }
}
