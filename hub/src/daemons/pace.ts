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
  readonly #burst: number;
  /** How many turns count against the burst, as of the last one. */
  #taken = 0;
  #takenAt: number;

  constructor(clock: Clock, { perSecond, burst }: PaceLimits) {
    this.#clock = clock;
    this.#intervalMs = 1000 / perSecond;
    this.#burst = burst;
    this.#takenAt = clock.now();
  }

  /** Takes a turn; returns how long to wait for it, in milliseconds. A clock that is set back holds nobody up. */
  turn(): number {
    const now = this.#clock.now();
    const passed = Math.max(0, now - this.#takenAt);
    this.#taken = Math.max(0, this.#taken - passed / this.#intervalMs) + 1;
    this.#takenAt = now;
    return Math.max(0, this.#taken - this.#burst) * this.#intervalMs;
  }
}
