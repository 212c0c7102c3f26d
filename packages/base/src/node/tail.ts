/** The end of an output that only people read, however long it gets. */
export class Tail {
  readonly #most: number;
  #chunks: Buffer[] = [];
  #kept = 0;
  #leftOut = 0;

  /** Keeps this many bytes. */
  constructor(most: number) {
    this.#most = most;
  }

  add(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#kept += bytes.length;
    // Trims only now and then: in between, up to twice as much is kept.
    if (this.#kept > 2 * this.#most) {
      this.#cut();
    }
  }

  /** The text that's kept, after a line that says how much was left out. */
  get text(): string {
    this.#cut();
    const kept = Buffer.concat(this.#chunks).toString("utf8");
    return this.#leftOut === 0 ? kept : `... (${this.#leftOut} bytes left out)\n${kept}`;
  }

  #cut(): void {
    const excess = this.#kept - this.#most;
    if (excess > 0) {
      this.#chunks = [Buffer.concat(this.#chunks).subarray(excess)];
      this.#kept -= excess;
      this.#leftOut += excess;
    }
  }
}
