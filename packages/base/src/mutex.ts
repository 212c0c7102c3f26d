import { abortReason } from "./abort.ts";

/** Lets one piece of work run at a time, in the order in which they were asked for. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /**
   * Runs `work` when everything asked for before has ended, well or badly, and settles as it does. Where the
   * signal is aborted before its turn, the work is never begun and the signal's reason is thrown at once.
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(abortReason(signal));
      signal?.addEventListener("abort", abort, { once: true });
      this.#last = this.#last.then(async () => {
        signal?.removeEventListener("abort", abort);
        if (signal?.aborted) {
          abort();
          return;
        }
        await work().then(resolve, reject);
      });
    });
  }
}
