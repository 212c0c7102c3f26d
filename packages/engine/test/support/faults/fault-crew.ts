import { Worker } from "node:worker_threads";
import { until } from "@weir/testing";
import type { FaultReport, FaultWork } from "./fault-worker.ts";

/** Does runs in a thread, in the order of their seeds, and collects what it tells of them. */
export class FaultCrew implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #reports = new Map<number, FaultReport>();
  #failure: Error | undefined;

  constructor(work: FaultWork) {
    this.#worker = new Worker(new URL("./fault-worker.ts", import.meta.url), { workerData: work });
    this.#worker.on("message", (report: FaultReport) => this.#reports.set(report.seed, report));
    this.#worker.on("error", (error: Error) => {
      this.#failure = error;
    });
  }

  /** The runs that have ended. */
  get reports(): Iterable<FaultReport> {
    return this.#reports.values();
  }

  /** The runs of these seeds, when they have ended. */
  async reportsOf(seeds: readonly number[]): Promise<readonly FaultReport[]> {
    await until(
      "the runs to end",
      () => this.#failure !== undefined || seeds.every((seed) => this.#reports.has(seed)),
      600,
    );
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    return seeds.flatMap((seed) => this.#reports.get(seed) ?? []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
