import type { RestRequest } from "../rest/rest.ts";

/** How long lines are cut. */
type LineCut = NonNullable<RestRequest["longLines"]>;

const lineFeed = 10;

/**
 * Splits chunks of bytes into lines; a character or a line can begin in one chunk and end in another. An
 * incomplete line is stored as bytes: as a string, it can take twice the memory.
 */
export class LineSplitter {
  readonly #cut: LineCut | undefined;
  #pieces: Buffer[] = [];
  #pending = 0;
  /** True until the end of a line that was cut. */
  #isDropping = false;

  /** With `cut`, longer lines are cut; without it, `pending` tells how long a line already is. */
  constructor(cut?: LineCut) {
    this.#cut = cut;
  }

  /** The size of the incomplete line, in bytes. */
  get pending(): number {
    return this.#pending;
  }

  /** The lines that end in this chunk, without their line feeds. */
  push(chunk: Buffer): readonly string[] {
    const rest = this.#isDropping ? this.#afterLine(chunk) : chunk;
    return this.#cut === undefined ? this.#split(rest) : [...this.#split(rest), ...this.#cutLine(this.#cut)];
  }

  #split(chunk: Buffer): readonly string[] {
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

  /** What follows the end of the line that was cut. */
  #afterLine(chunk: Buffer): Buffer {
    const end = chunk.indexOf(lineFeed);
    this.#isDropping = end < 0;
    return end < 0 ? Buffer.alloc(0) : chunk.subarray(end + 1);
  }

  /** The beginning of the incomplete line, if it's too long. */
  #cutLine({ most, mark }: LineCut): readonly string[] {
    if (this.#pending <= most) {
      return [];
    }
    const line = Buffer.concat(this.#pieces).subarray(0, most).toString("utf8");
    this.drop();
    this.#isDropping = true;
    return [`${line}${mark}`];
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
