import { abortReason } from "./abort.ts";

/**
 * A wake-up that says "look again", never what happened: many calls before the next look make one. It has
 * one waiter, the loop that owns it.
 */
export class Wake {
  #pending = false;
  #resolve: (() => void) | undefined;
  readonly #idlers = new Set<() => void>();

  /** Wakes the waiter, or the next one to come. */
  wake(): void {
    this.#pending = true;
    this.#resolve?.();
  }

  /**
   * Resolves at the next wake-up, at once where there was one since the last wait. Rejects with the signal's
   * reason as soon as it is aborted; a wake-up that came is then kept for the next wait.
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

  /** Resolves as soon as the waiter waits and no wake-up is left: its loop has nothing to do. */
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
