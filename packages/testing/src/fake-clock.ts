import type { Clock } from "@weir/base";

interface Sleeper {
  readonly until: number;
  readonly ms: number;
  wake(): void;
}

/** A clock that a test moves by hand. Sleepers wake in the order of their times. */
export class FakeClock implements Clock {
  #now = 0;
  readonly #sleepers = new Set<Sleeper>();
  readonly #watchers = new Set<() => void>();

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const aborted = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const sleeper: Sleeper = {
        until: this.#now + ms,
        ms,
        wake: () => {
          signal?.removeEventListener("abort", aborted);
          resolve();
        },
      };
      if (signal?.aborted === true) {
        aborted();
        return;
      }
      signal?.addEventListener("abort", aborted, { once: true });
      this.#sleepers.add(sleeper);
      this.#watchers.forEach((notify) => notify());
    });
  }

  /**
   * Lets that much time pass; when this resolves, all that follows from it by promises alone has happened. For what takes
   * more there is the `idle` of the loop that the clock drives.
   */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (let next = this.#nextBefore(end); next !== undefined; next = this.#nextBefore(end)) {
      this.#now = next.until;
      this.#sleepers.delete(next);
      next.wake();
      await new Promise(setImmediate);
    }
    this.#now = end;
  }

  /** Resolves as soon as somebody sleeps for exactly that time, or for one that `matches`. */
  async sleeping(matches: number | ((ms: number) => boolean)): Promise<void> {
    const isIt = typeof matches === "number" ? (ms: number) => ms === matches : matches;
    while (![...this.#sleepers].some(({ ms }) => isIt(ms))) {
      await new Promise<void>((resolve) => {
        const notify = (): void => {
          this.#watchers.delete(notify);
          resolve();
        };
        this.#watchers.add(notify);
      });
    }
  }

  #nextBefore(end: number): Sleeper | undefined {
    return [...this.#sleepers].filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0];
  }
}
