import { StringDecoder } from "node:string_decoder";

/** Makes lines of chunks of bytes; a character or a line may begin in one chunk and end in another. */
export class LineSplitter {
  readonly #decoder = new StringDecoder("utf8");
  /** What has come of the line that is not ended, in pieces: a long line is put together once. */
  #pieces: string[] = [];
  #pending = 0;

  /** How many characters have come of the line that is not ended. */
  get pending(): number {
    return this.#pending;
  }

  /** The lines that end in this chunk, without their line feeds. */
  push(chunk: Buffer): readonly string[] {
    const lines = this.#decoder.write(chunk).split("\n");
    const rest = lines.pop() ?? "";
    if (lines.length > 0) {
      lines[0] = this.#pieces.join("") + (lines[0] ?? "");
      this.#pieces = [];
      this.#pending = 0;
    }
    if (rest !== "") {
      this.#pieces.push(rest);
      this.#pending += rest.length;
    }
    return lines;
  }

  /** What came after the last line feed; undefined where nothing did. */
  end(): string | undefined {
    const rest = this.#pieces.join("") + this.#decoder.end();
    this.#pieces = [];
    this.#pending = 0;
    return rest === "" ? undefined : rest;
  }
}
