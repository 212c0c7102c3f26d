type Chunk = Readonly<{ from: "stdout" | "stderr"; bytes: Buffer }>;

/** What a process prints, as it comes. */
export class CollectedOutput {
  readonly #chunks: Chunk[] = [];
  readonly #ended = Promise.withResolvers<undefined>();

  /** Resolves when standard output has ended, so that nothing of it can be missing. */
  get stdoutEnded(): Promise<undefined> {
    return this.#ended.promise;
  }

  /** Collects from two streams, to be called before anything was read from them. */
  collect(stdout: NodeJS.ReadableStream, stderr: NodeJS.ReadableStream): void {
    stdout.on("data", (bytes: Buffer) => this.#chunks.push({ from: "stdout", bytes }));
    stderr.on("data", (bytes: Buffer) => this.#chunks.push({ from: "stderr", bytes }));
    stdout.once("end", () => {
      // simple-git waits another 50 ms where no data came, in case some is late. At the end none is.
      stdout.emit("data", Buffer.alloc(0));
      this.#ended.resolve(undefined);
    });
  }

  /** Each output by itself. */
  texts(): { readonly stdout: string; readonly stderr: string } {
    return { stdout: this.#text("stdout"), stderr: this.#text("stderr") };
  }

  /** Both outputs in the order in which they came. */
  all(): string {
    return decode(this.#chunks);
  }

  #text(from: Chunk["from"]): string {
    return decode(this.#chunks.filter((chunk) => chunk.from === from));
  }
}

function decode(chunks: readonly Chunk[]): string {
  return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString("utf8");
}
