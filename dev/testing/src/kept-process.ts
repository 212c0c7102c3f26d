import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { HopelessError } from "./until.ts";

/**
 * Runs a program that ends when the pipe to its standard input closes: at the latest with this process,
 * however it ends. The shell in between signals only the process that it started, by its ID.
 */
const wrapper = `
exec 3<&0
"$@" 3<&- &
child=$!
{ cat <&3 >/dev/null; kill -9 "$child"; } 2>/dev/null &
wait "$child"`;

/** A program that was started and not yet stopped. */
export class KeptProcess {
  readonly #name: string;
  readonly #log: string;
  readonly #child: ReturnType<typeof spawn>;
  readonly #exited: Promise<void>;

  /** Starts the program; its output goes to the file `log`. */
  constructor(program: string, args: readonly string[], log: string) {
    this.#name = program;
    this.#log = log;
    const output = openSync(log, "a");
    this.#child = spawn("sh", ["-c", wrapper, "sh", program, ...args], { stdio: ["pipe", output, output] });
    closeSync(output);
    this.#exited = new Promise((resolve) => this.#child.once("exit", () => resolve()));
    // Nothing is written to the pipe; its other end can close first.
    this.#child.stdin?.on("error", () => undefined);
  }

  /** True if the program has ended by itself. */
  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Throws a HopelessError with the end of the program's output if it has ended by itself. */
  check(): void {
    if (this.ended) {
      throw new HopelessError(`${this.#name} has ended:\n${readFileSync(this.#log, "utf8").slice(-2_000)}`);
    }
  }

  /** Stops the program; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#child.stdin?.end();
    await this.#exited;
  }
}
