import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** What was measured since the last call. */
export interface Sighting {
  /** The peak memory of the process and its child processes together, in MiB. */
  readonly peakMiB: number;
  /** In seconds; includes a ping that hasn't been answered yet, with its time so far. */
  readonly slowestPing: number;
  readonly failedPings: number;
  /** The peak memory of the process alone since it started, in MiB. */
  readonly highest: number;
}

/** Measures a fluxd until it's disposed. */
export interface FluxdWatch extends AsyncDisposable {
  /** Returns what was measured since the last call, and starts over. */
  next(): Promise<Sighting>;
}

/** The input of the thread. */
export interface WatchTask {
  readonly pid: number;
  readonly pingUrl: string;
}

/** Measures from another thread, so that the attacks in this one don't slow it down. */
export async function watchFluxd(pid: number, pingUrl: string): Promise<FluxdWatch> {
  const task: WatchTask = { pid, pingUrl };
  const worker = new Worker(new URL("watch-thread.ts", import.meta.url), { workerData: task });
  await once(worker, "online");
  return {
    async next() {
      const answer = once(worker, "message");
      worker.postMessage("next");
      const [sighting] = (await answer) as [Sighting];
      return sighting;
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}
