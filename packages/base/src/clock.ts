import { abortReason } from "./abort.ts";

/** Time as the program sees it, and the only way to wait. A test passes a clock that it moves itself. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest time that a timer can be set to, in milliseconds: almost 25 days. */
const longestTimer = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortReason(signal));
        return;
      }
      let timer = setTimeout(next, Math.min(ms, longestTimer), ms - longestTimer);
      signal?.addEventListener("abort", aborted, { once: true });
      function next(left: number): void {
        if (left > 0) {
          timer = setTimeout(next, Math.min(left, longestTimer), left - longestTimer);
          return;
        }
        signal?.removeEventListener("abort", aborted);
        resolve();
      }
      function aborted(): void {
        clearTimeout(timer);
        reject(abortReason(signal));
      }
    }),
};
