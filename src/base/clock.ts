import { abortReason } from "./abort.ts";

/** Time as the program sees it; the only way to wait. A test passes a clock that it moves by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortReason(signal));
        return;
      }
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", aborted, { once: true });
      function done(): void {
        signal?.removeEventListener("abort", aborted);
        resolve();
      }
      function aborted(): void {
        clearTimeout(timer);
        reject(abortReason(signal));
      }
    }),
};
