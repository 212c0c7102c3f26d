import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { until } from "./until.ts";

/** Where a program runs, and with what. */
export interface ProgramSurroundings {
  /** All of its environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Its folder; this process's without it. */
  readonly cwd?: string;
}

/** How a program ended: one of the two. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that runs until it ends, at the latest when this is disposed of, and what it has printed so far. */
export class StartedProgram implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #closed: Promise<unknown>;
  #hasClosed = false;
  #stdout = "";
  #stderr = "";
  #output = "";

  constructor(program: string, args: readonly string[], surroundings: ProgramSurroundings = {}) {
    this.#child = spawn(program, args, { ...surroundings, stdio: ["ignore", "pipe", "pipe"] });
    this.#exited = once(this.#child, "exit");
    this.#closed = once(this.#child, "close");
    // Who waits for the end hears of a program that can't be started.
    this.#exited.catch(() => undefined);
    const close = (): void => void (this.#hasClosed = true);
    this.#closed.then(close, close);
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
      this.#output += text;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
      this.#output += text;
    });
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** What it has printed to both, in the order in which it arrived. */
  get output(): string {
    return this.#output;
  }

  /** Undefined if it couldn't be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * Like the function, but rejects with the output, and as soon as the program has ended: what isn't there then won't
   * come any more.
   */
  async until<T>(
    what: string,
    ask: () => Promise<T | undefined | false> | T | undefined | false,
  ): Promise<T> {
    const found = await until(what, async () => {
      const isLast = this.#hasClosed;
      try {
        const answer = await ask();
        if (answer !== undefined && answer !== false) {
          return { answer };
        }
      } catch (error) {
        if (!isLast) {
          throw error;
        }
      }
      return isLast && { answer: undefined };
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}; the output is:\n${this.#output}`, { cause: error });
    });
    if (found.answer === undefined) {
      throw new Error(`gave up waiting for ${what}: the program has ended; the output is:\n${this.#output}`);
    }
    return found.answer;
  }

  /** Sends a signal; resolves to how it ended. */
  end(signal: NodeJS.Signals): Promise<ProgramEnd> {
    this.#child.kill(signal);
    return this.ended();
  }

  /** Resolves when it has ended, and all of its output is here. */
  async ended(): Promise<ProgramEnd> {
    await this.#closed;
    return { code: this.#child.exitCode, signal: this.#child.signalCode };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited.catch(() => undefined);
    // What it has started may still hold the other ends.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }
}
