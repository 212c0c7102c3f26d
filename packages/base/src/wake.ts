import { abortReason } from "./abort.ts";

/**
 * A wake-up that only means "look again": several calls before the next look count as one. It has a single waiter, the
 * loop that owns it.
 */
export class Wake {
  #pending = false;
  #resolve: (() => void) | undefined;
  readonly #idlers = new Set<() => void>();

  /** Wakes the waiter, or the next one. */
  wake(): void {
    this.#pending = true;
    this.#resolve?.();
  }

  /**
   * Resolves at the next wake-up, or immediately if there was one since the last wait. Rejects with the signal's reason
   * as soon as it's aborted; a wake-up that arrived then is kept for the next wait.
   */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        signal.removeEventListener("abort", abort);
        this.#resolve = undefined;
        settle();
      };
      const abort = (): void => finish(() => reject(abortReason(signal)));
      const woken = (): void =>
        finish(() => {
          this.#pending = false;
          resolve();
        });
      if (signal.aborted) {
        abort();
      } else if (this.#pending) {
        woken();
      } else {
        signal.addEventListener("abort", abort, { once: true });
        this.#resolve = woken;
        this.#idlers.forEach((resolve) => resolve());
        this.#idlers.clear();
      }
    });
  }

  /** Resolves when the waiter is waiting and no wake-up is left, so its loop has nothing to do. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#resolve === undefined) {
        this.#idlers.add(resolve);
      } else {
        resolve();
      }
    });
  }
}
