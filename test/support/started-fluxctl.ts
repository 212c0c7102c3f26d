import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { until } from "@weir/testing";
import { programs } from "./programs.ts";

const program = join(programs, "fluxctl");

/** The built fluxctl with a command that goes on until it's ended, and what it has printed so far. */
export class StartedFluxctl implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  stdout = "";
  stderr = "";

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    const surroundings = { PATH: process.env["PATH"], HOME: "/nonexistent", ...env };
    this.#child = spawn(program, args, { env: surroundings, stdio: ["ignore", "pipe", "pipe"] });
    this.#ended = once(this.#child, "close");
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
  }

  /** The whole lines on stdout. */
  get lines(): readonly string[] {
    return this.stdout.split("\n").slice(0, -1);
  }

  /** Resolves when what was printed satisfies a condition. */
  async prints(what: string, isThere: (printed: StartedFluxctl) => boolean): Promise<void> {
    try {
      await until(what, () => isThere(this));
    } catch (error) {
      throw new Error(`stdout ends with:\n${this.stdout.slice(-2_000)}\nstderr:\n${this.stderr}`, {
        cause: error,
      });
    }
  }

  /** Ends it as Ctrl-C does; resolves to the signal that it ended with, or its exit code. */
  async interrupt(): Promise<string | number | null> {
    this.#child.kill("SIGINT");
    return this.ended();
  }

  /** Resolves to the exit code, or to the signal that it ended with. */
  async ended(): Promise<string | number | null> {
    await this.#ended;
    return this.#child.signalCode ?? this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}
