import type { Clock } from "@weir/base";

/** How a fast clock runs. */
export interface FastClockOptions {
  /** How much time passes with each tick, in milliseconds; there are up to 250 ticks in a second. */
  readonly tickMs: number;
  /** How far it is ahead of the machine's clock when it starts. */
  readonly aheadMs?: number;
  /** While true, no time passes. */
  readonly stands?: () => boolean;
}

const everyMs = 4;

/**
 * A clock whose hours pass in seconds. It counts ticks, not time: on a slow machine it runs slower, and it stands while
 * others work, so that what takes a while in reality takes no time at all.
 */
export class FastClock implements Clock, Disposable {
  readonly #options: FastClockOptions;
  readonly #ticks = setInterval(() => this.#tick(), everyMs);
  readonly #sleepers = new Set<Sleeper>();
  #now: number;

  constructor(options: FastClockOptions) {
    this.#options = options;
    this.#now = Date.now() + (options.aheadMs ?? 0);
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const aborted = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const wake = (): void => {
        signal?.removeEventListener("abort", aborted);
        resolve();
      };
      const sleeper = { until: this.#now + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", aborted, { once: true });
    });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#ticks);
  }

  #tick(): void {
    if (this.#options.stands?.() === true) {
      return;
    }
    this.#now += this.#options.tickMs;
    for (const sleeper of this.#sleepers) {
      if (sleeper.until <= this.#now) {
        this.#sleepers.delete(sleeper);
        sleeper.wake();
      }
    }
  }
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}
