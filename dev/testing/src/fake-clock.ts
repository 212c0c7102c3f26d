import type { Clock } from "@weir/base";
import { settled } from "./settled.ts";

interface Sleeper {
  readonly until: number;
  readonly ms: number;
  wake(): void;
}

/**
 * A clock that a test moves by hand. Sleepers wake one by one: by their times, and those with the same time in the order
 * in which they went to sleep.
 */
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
   * Lets that much time pass, in steps from one sleeper to the next. Before the first step and after each, everything
   * that follows by promises alone happens (see `settled`), so whoever goes to sleep in time is woken, and when this
   * resolves there is nothing left to do but what waits for more than promises. For that, wait with `sleeping`, with
   * the `idle` of a loop, or with `until`.
   */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (let next = this.#nextBefore(end); next !== undefined; next = this.#nextBefore(end)) {
      this.#now = next.until;
      this.#sleepers.delete(next);
      next.wake();
      await settled();
    }
    this.#now = end;
  }

  /** Resolves as soon as somebody sleeps for exactly that time, or for a time that `matches`. */
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
