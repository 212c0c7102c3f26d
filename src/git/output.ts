import { printBytes } from "@weir/base";
import { Tail } from "@weir/base/node";

/** How much a process may print, in bytes; it is to be ended when it prints more. */
export interface OutputLimits {
  readonly stdout: number;
  readonly stderr: number;
}

/** Which output became too long, and what it may be. */
export interface Flood {
  readonly from: keyof OutputLimits;
  readonly most: number;
}

/** What is kept of outputs that are only for people to read, in bytes. */
const keptForPeople = 64 * 1024;

/** What a process prints, as it comes: standard output up to its limit, and the end of the rest. */
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

  /** `take` gets standard output in the place of `texts`, and says whether more of it is wanted. */
  constructor(limits: OutputLimits, take?: (bytes: Buffer) => boolean) {
    this.#limits = limits;
    this.#take = take ?? ((bytes) => this.#stdout.push(bytes) > 0);
  }

  /** Resolves when standard output has ended, so that nothing of it can be missing. */
  get stdoutEnded(): Promise<undefined> {
    return this.#ended.promise;
  }

  /** Aborted when an output has become too long. */
  get flooded(): AbortSignal {
    return this.#flooded.signal;
  }

  /** The output that became too long first. */
  get flood(): Flood | undefined {
    return this.#flood;
  }

  /** Collects from two streams, to be called before anything was read from them. */
  collect(stdout: NodeJS.ReadableStream, stderr: NodeJS.ReadableStream): void {
    // Whoever listened before, as simple-git does, would keep all that comes, without a limit.
    stdout.removeAllListeners("data").on("data", (bytes: Buffer) => this.#add("stdout", bytes));
    stderr.removeAllListeners("data").on("data", (bytes: Buffer) => this.#add("stderr", bytes));
    stdout.once("end", () => {
      // simple-git waits another 50 ms where no data came, in case some is late. At the end none is.
      stdout.emit("data", Buffer.alloc(0));
      this.#ended.resolve(undefined);
    });
  }

  /** Each output by itself, of standard error the end; with `holdsPaths`, no two paths become the same text. */
  texts({ holdsPaths = false } = {}): { readonly stdout: string; readonly stderr: string } {
    const bytes = Buffer.concat(this.#stdout);
    return { stdout: holdsPaths ? printBytes(bytes) : bytes.toString("utf8"), stderr: this.#stderr.text };
  }

  /** The end of both outputs, in the order in which they came. */
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
