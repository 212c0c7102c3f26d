const lineFeed = 10;

/**
 * Splits chunks of bytes into lines; a character or a line can begin in one chunk and end in another. An
 * incomplete line is stored as bytes: as a string, it can take twice the memory.
 */
export class LineSplitter {
  #pieces: Buffer[] = [];
  #pending = 0;

  /** The size of the incomplete line, in bytes. */
  get pending(): number {
    return this.#pending;
  }

  /** The lines that end in this chunk, without their line feeds. */
  push(chunk: Buffer): readonly string[] {
    const end = chunk.lastIndexOf(lineFeed);
    if (end < 0) {
      this.#keep(chunk);
      return [];
    }
    const lines = this.#take(chunk.subarray(0, end)).split("\n");
    this.#keep(chunk.subarray(end + 1));
    return lines;
  }

  /** What follows the last line feed; undefined if nothing does. */
  end(): string | undefined {
    return this.#pending === 0 ? undefined : this.#take(Buffer.alloc(0));
  }

  /** Discards the incomplete line. */
  drop(): void {
    this.#pieces = [];
    this.#pending = 0;
  }

  #keep(bytes: Buffer): void {
    if (bytes.length > 0) {
      this.#pieces.push(bytes);
      this.#pending += bytes.length;
    }
  }

  /** The stored pieces and `bytes`, as text; the pieces are removed. */
  #take(bytes: Buffer): string {
    const all = this.#pieces.length === 0 ? bytes : Buffer.concat([...this.#pieces, bytes]);
    this.drop();
    return all.toString("utf8");
  }
}
