const lineFeed = 10;

/**
 * Makes lines of chunks of bytes; a character or a line may begin in one chunk and end in another. What has come of
 * a line stays bytes until it ends: as a string it may take twice the memory.
 */
export class LineSplitter {
  #pieces: Buffer[] = [];
  #pending = 0;

  /** How many bytes have come of the line that is not ended. */
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

  /** What came after the last line feed; undefined where nothing did. */
  end(): string | undefined {
    return this.#pending === 0 ? undefined : this.#take(Buffer.alloc(0));
  }

  /** Forgets what has come of the line that is not ended. */
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

  /** The pieces and what follows them, as text; afterwards there are none. */
  #take(bytes: Buffer): string {
    const all = this.#pieces.length === 0 ? bytes : Buffer.concat([...this.#pieces, bytes]);
    this.drop();
    return all.toString("utf8");
  }
}
