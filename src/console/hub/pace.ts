import type { Clock } from "@weir/base";

/** How often something may begin, in the long run, and how many may begin at once after a pause. */
export interface PaceLimits {
  readonly perSecond: number;
  readonly burst: number;
}

/** Gives each who asks a time to begin, so that many who ask together begin one after the other. */
export class Pace {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #burstMs: number;
  /** When the next one may begin if no burst is left. */
  #next = 0;

  constructor(clock: Clock, { perSecond, burst }: PaceLimits) {
    this.#clock = clock;
    this.#intervalMs = 1000 / perSecond;
    this.#burstMs = burst * this.#intervalMs;
  }

  /** Takes a turn; returns how long to wait for it, in milliseconds. */
  turn(): number {
    const now = this.#clock.now();
    this.#next = Math.max(this.#next, now - this.#burstMs) + this.#intervalMs;
    return Math.max(0, this.#next - now);
  }
}
