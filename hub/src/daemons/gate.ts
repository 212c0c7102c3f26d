import { abortReason, type Clock } from "@weir/base";

/** How many pieces of work a gate lets run at a time, and for how long each of them counts, in milliseconds. */
export interface GateLimits {
  readonly places: number;
  readonly patience: number;
}

/**
 * Limits how much work runs at a time, in the order in which it was asked for. Work that takes longer than others have
 * patience for goes on, but doesn't keep its place: slow daemons don't hold up the others.
 */
export class Gate {
  readonly #clock: Clock;
  readonly #patience: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(clock: Clock, { places, patience }: GateLimits) {
    this.#clock = clock;
    this.#patience = patience;
    this.#free = places;
  }

  /** Does the work when there's a place. Rejects with the signal's reason if it's aborted before that. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#enter(signal);
    const done = new AbortController();
    this.#clock.sleep(this.#patience, done.signal).then(
      () => this.#leave(),
      () => this.#leave(),
    );
    try {
      return await work();
    } finally {
      done.abort();
    }
  }

  #enter(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(abortReason(signal));
        return;
      }
      if (this.#free > 0) {
        this.#free -= 1;
        resolve();
        return;
      }
      const abort = (): void => {
        this.#waiting.delete(enter);
        reject(abortReason(signal));
      };
      const enter = (): void => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.add(enter);
    });
  }

  /** Gives the place to who has waited the longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
    } else {
      this.#waiting.delete(next);
      next();
    }
  }
}
