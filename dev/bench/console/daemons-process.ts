import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { until } from "@weir/testing";
import type { DaemonsCommand, DaemonsReport } from "./daemons.ts";

/** Simulated daemons in another process, so that their memory and time aren't those of the console. */
export class DaemonsProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #count: number;

  /** Begins to connect this many daemons to Flux's API at a URL. */
  constructor(url: string, count: number) {
    this.#count = count;
    this.#child = fork(join(import.meta.dirname, "daemons.ts"), [url, String(count)]);
  }

  /** Resolves when all of them are connected. */
  async allConnected(): Promise<void> {
    await until("all daemons to be connected", async () => (await this.connected()) === this.#count, 180);
  }

  /** How many are connected. */
  async connected(): Promise<number> {
    const report = await this.#ask({ type: "count" });
    return report.type === "count" ? report.connected : 0;
  }

  /** Posts events at a rate; resolves to how many were accepted, and in how many seconds. */
  async post(
    perSecond: number,
    seconds: number,
  ): Promise<{ readonly accepted: number; readonly seconds: number }> {
    const report = await this.#ask({ type: "post", perSecond, seconds });
    return report.type === "posted" ? report : { accepted: 0, seconds: 0 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.disconnect();
    await ended;
  }

  async #ask(command: DaemonsCommand): Promise<DaemonsReport> {
    const stop = new AbortController();
    const answered = once(this.#child, "message", { signal: stop.signal });
    const ended = once(this.#child, "exit", { signal: stop.signal }).then(() => {
      throw new Error("the process of the daemons has ended");
    });
    this.#child.send(command);
    try {
      const [report] = (await Promise.race([answered, ended])) as [DaemonsReport];
      return report;
    } finally {
      stop.abort();
    }
  }
}
