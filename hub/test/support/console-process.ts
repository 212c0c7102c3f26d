import { join } from "node:path";
import { KeptProcess, until } from "@weir/testing";

/** What a console needs. */
export interface ConsoleProcessOptions {
  readonly databaseUrl: string;
  readonly port: number;
  /** A file for what it writes. */
  readonly log: string;
}

/** A console in a process of its own, which can be killed. */
export class ConsoleProcess implements AsyncDisposable {
  readonly #process: KeptProcess;

  private constructor(process: KeptProcess) {
    this.#process = process;
  }

  /** Resolves as soon as it listens. */
  static async start({ databaseUrl, port, log }: ConsoleProcessOptions): Promise<ConsoleProcess> {
    const program = join(import.meta.dirname, "console-program.ts");
    const process = new KeptProcess(globalThis.process.execPath, [program, databaseUrl, String(port)], log);
    await until("the console to listen", async () => {
      process.check();
      return (await fetch(`http://127.0.0.1:${port}/api/flux/v11/ping`)).status === 401;
    });
    return new ConsoleProcess(process);
  }

  /** Ends it without a chance to do anything. */
  async kill(): Promise<void> {
    await this.#process.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stop();
  }
}
