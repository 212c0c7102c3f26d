import { printBytes } from "@weir/base";
import { Tail } from "@weir/base/node";

/** How much a process can print, in bytes, before it's stopped. */
export interface OutputLimits {
  readonly stdout: number;
  readonly stderr: number;
}

/** The stream that exceeded its limit, and the limit. */
export interface Flood {
  readonly from: keyof OutputLimits;
  readonly most: number;
}

/** How much to keep of output that only people read, in bytes. */
const keptForPeople = 64 * 1024;

/** The output of a process: standard output up to its limit, and the end of standard error. */
export class CollectedOutput {
  readonly #limits: OutputLimits;
  readonly #take: (bytes: Buffer) => boolean;
  readonly #stdout: Buffer[] = [];
  readonly #stderr = new Tail(keptForPeople);
  readonly #both = new Tail(keptForPeople);
  readonly #length = { stdout: 0, stderr: 0 };
  readonly #ended = Promise.withResolvers<undefined>();
  readonly #flooded = new AbortController();
  #flood: Flood | undefined;

  /** `take` receives standard output instead of `texts`, and returns whether it wants more. */
  constructor(limits: OutputLimits, take?: (bytes: Buffer) => boolean) {
    this.#limits = limits;
    this.#take = take ?? ((bytes) => this.#stdout.push(bytes) > 0);
  }

  /** Resolves when standard output has ended, so that nothing of it is missing. */
  get stdoutEnded(): Promise<undefined> {
    return this.#ended.promise;
  }

  /** Aborted when a stream exceeds its limit. */
  get flooded(): AbortSignal {
    return this.#flooded.signal;
  }

  /** The first stream that exceeded its limit. */
  get flood(): Flood | undefined {
    return this.#flood;
  }

  /** Collects from two streams. Call this before anything is read from them. */
  collect(stdout: NodeJS.ReadableStream, stderr: NodeJS.ReadableStream): void {
    // Earlier listeners, such as simple-git's, would keep all output without a limit.
    stdout.removeAllListeners("data").on("data", (bytes: Buffer) => this.#add("stdout", bytes));
    stderr.removeAllListeners("data").on("data", (bytes: Buffer) => this.#add("stderr", bytes));
    stdout.once("end", () => {
      // If there was no output, simple-git waits another 50 ms in case some is late. At the end of the stream, none is.
      stdout.emit("data", Buffer.alloc(0));
      this.#ended.resolve(undefined);
    });
  }

  /**
   * Each stream separately, of standard error only the end. With `holdsPaths`, no two different paths become the same
   * text.
   */
  texts({ holdsPaths = false } = {}): { readonly stdout: string; readonly stderr: string } {
    const bytes = Buffer.concat(this.#stdout);
    return { stdout: holdsPaths ? printBytes(bytes) : bytes.toString("utf8"), stderr: this.#stderr.text };
  }

  /** The end of both streams, in the order in which they were printed. */
  all(): string {
    return this.#both.text;
  }

  #add(from: keyof OutputLimits, bytes: Buffer): void {
    this.#both.add(bytes);
    this.#length[from] += bytes.length;
    if (from === "stderr") {
      this.#stderr.add(bytes);
    }
    const isTooLong = this.#length[from] > this.#limits[from];
    if (this.#flood === undefined && (isTooLong || (from === "stdout" && !this.#take(bytes)))) {
      this.#flood = { from, most: this.#limits[from] };
      this.#stdout.length = 0;
      this.#flooded.abort();
    }
  }
}
