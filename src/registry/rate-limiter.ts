import type { Clock } from "@weir/base";

/** How fast one host may be asked. */
export interface RateLimits {
  /** Requests a second at the start, and never more; Infinity for no limit. */
  readonly rps: number;
  /** Requests that may come at once after a pause. */
  readonly burst: number;
}

/** Waiting for one's turn would take longer than one can wait; thrown at once instead. */
export class RateLimitError extends Error {
  override readonly name = "RateLimitError";
  readonly waitMs: number;

  constructor(waitMs: number) {
    super("rate limited: the turn of this request would come too late");
    this.waitMs = waitMs;
  }
}

/** As Flux v1. */
const lowest = 0.1;
const backOffBy = 2;
const recoverBy = 1.5;
const coolDownMs = 1_200_000;

/** A host that asks for a longer pause than this is asked again anyway. */
const longestPauseMs = 3_600_000;

/**
 * The limit for one host: a bucket of tokens that fills at the rate. The rate is halved when the host says that
 * it is too much, and comes back by and by. After Flux v1's RateLimiters.
 */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #clock: Clock;
  #rate: number;
  #tokens: number;
  #filledAt: number;
  #pausedUntil = 0;
  #backedOffAt: number | undefined;

  constructor(limits: RateLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#rate = Math.max(limits.rps, lowest);
    this.#tokens = limits.burst;
    this.#filledAt = clock.now();
  }

  /** Requests a second, at the moment. */
  get rate(): number {
    return this.#rate;
  }

  /** Resolves when it is our turn. Rejects with RateLimitError where that would be after `deadline`. */
  async take(deadline: number, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    this.#fill(now);
    const waitMs = Math.max(this.#pausedUntil - now, this.#waitForToken());
    // Time that is up already is no matter of limits: whoever waits for the answer will say so.
    if (waitMs > 0 && now + waitMs > deadline) {
      throw new RateLimitError(waitMs);
    }
    this.#tokens -= 1;
    if (waitMs > 0) {
      await this.#clock.sleep(waitMs, signal);
    }
  }

  /** Halves the rate; true where that changed it. */
  backOff(): boolean {
    this.#backedOffAt = this.#clock.now();
    return this.#setRate(this.#rate / backOffBy);
  }

  /** Nothing is asked for that long, as the host wished. */
  pause(ms: number): void {
    const until = this.#clock.now() + Math.min(ms, longestPauseMs);
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  /** Comes back towards the highest rate, some time after the last trouble; true where that changed it. */
  recover(): boolean {
    const since = this.#clock.now() - (this.#backedOffAt ?? -Infinity);
    return since >= coolDownMs && this.#setRate(this.#rate * recoverBy);
  }

  #setRate(rate: number): boolean {
    const before = this.#rate;
    this.#fill(this.#clock.now());
    this.#rate = Math.max(lowest, Math.min(rate, this.#limits.rps));
    return this.#rate !== before;
  }

  #fill(now: number): void {
    const gained = ((now - this.#filledAt) / 1000) * this.#rate;
    this.#tokens = Math.min(this.#limits.burst, this.#tokens + (gained || 0));
    this.#filledAt = now;
  }

  #waitForToken(): number {
    return this.#tokens >= 1 || this.#rate === Infinity ? 0 : ((1 - this.#tokens) / this.#rate) * 1000;
  }
}
