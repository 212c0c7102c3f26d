import type { Clock } from "@weir/base";

/** How many requests one host can get. */
export interface RateLimits {
  /** Requests per second at the start, and at most; Infinity for no limit. */
  readonly rps: number;
  /** Requests that can be sent at once after a pause. */
  readonly burst: number;
}

/** As Flux v1. */
const lowest = 0.1;
const backOffBy = 2;
const recoverBy = 1.5;
const coolDownMs = 1_200_000;

/** If a host asks for a longer pause than this, it's queried sooner anyway. */
const longestPauseMs = 3_600_000;

/**
 * The rate limit for one host: a token bucket. The rate is halved if the host complains, and recovers gradually. Based
 * on Flux v1's RateLimiters.
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

  /** The current rate, in requests per second. */
  get rate(): number {
    return this.#rate;
  }

  /** Resolves when the request can be sent. Rejects with RateLimitError if that would be after `deadline`. */
  async take(deadline: number, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    this.#fill(now);
    const waitMs = Math.max(this.#pausedUntil - now, this.#waitForToken());
    // If the time limit has passed already, the rate limit isn't the cause; the caller reports the timeout.
    if (waitMs > 0 && now + waitMs > deadline) {
      throw new RateLimitError(waitMs);
    }
    this.#tokens -= 1;
    if (waitMs > 0) {
      await this.#clock.sleep(waitMs, signal);
    }
  }

  /** Halves the rate; true if that changed it. */
  backOff(): boolean {
    this.#backedOffAt = this.#clock.now();
    return this.#setRate(this.#rate / backOffBy);
  }

  /** Sends nothing for this long, as the host asked. */
  pause(ms: number): void {
    const until = this.#clock.now() + Math.min(ms, longestPauseMs);
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  /** Raises the rate some time after the last failure; true if that changed it. */
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

/** Thrown immediately if waiting for the rate limit would take longer than the deadline allows. */
export class RateLimitError extends Error {
  override readonly name = "RateLimitError";
  readonly waitMs: number;

  constructor(waitMs: number) {
    super("rate limited: the request would have to wait beyond its time limit");
    this.waitMs = waitMs;
  }
}
