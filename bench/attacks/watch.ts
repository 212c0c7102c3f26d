import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** What was seen since the last time somebody asked. */
export interface Sighting {
  /** The most that the process and all it started held at a time, in MiB. */
  readonly peakMiB: number;
  /** In seconds; a ping that has not been answered yet counts with its time so far. */
  readonly slowestPing: number;
  readonly failedPings: number;
  /** The most that the process alone has held since it started, in MiB. */
  readonly highest: number;
}

/** Watches a fluxd until it is disposed. */
export interface FluxdWatch extends AsyncDisposable {
  /** What was seen since the last call, and begins anew. */
  next(): Promise<Sighting>;
}

/** What the thread is started with. */
export interface WatchTask {
  readonly pid: number;
  readonly pingUrl: string;
}

/** Watches from another thread, which what is done to fluxd here does not slow down. */
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
