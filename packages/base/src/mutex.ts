import { abortReason } from "./abort.ts";

/** Runs one piece of work at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /**
   * Runs `work` after all earlier calls have ended, successfully or not, and settles like it. If the signal is aborted
   * before its turn, the work never starts, and the signal's reason is thrown immediately.
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
