import { type BackoffPolicy, backoffDelay, type Clock, Deadline, Wake } from "@weir/base";
import type { Pace } from "./pace.ts";

/**
 * The pause after a wake-up: several events in a row are followed by one look. It doubles while events keep coming, so that
 * a daemon with many of them isn't asked about each.
 */
const calm: BackoffPolicy = { initialMs: 500, maxMs: 15_000, factor: 2, jitter: 0 };

/** How long there must be no look for the pause to be short again, in milliseconds. */
const quiet = 20_000;

/** How much shorter an interval can be, so that daemons that connected together aren't asked together forever. */
const spread = 0.2;

/** When a daemon is to be looked at again. A single loop waits for the next time. */
export class LookTimes {
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #pace: Pace;
  readonly #wake = new Wake();
  readonly #urgent = new Wake();
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** How many looks there were without a quiet time between them. */
  #looks = 0;

  /** `interval` is the longest time between two looks, in milliseconds; the pace is that of all looks of a console. */
  constructor(clock: Clock, interval: number, pace: Pace) {
    this.#clock = clock;
    this.#interval = interval;
    this.#pace = pace;
  }

  /** Says that something has changed. */
  wake(): void {
    this.#wake.wake();
  }

  /**
   * Says that something has changed that somebody waits for: the next look doesn't wait, and those at what follows from it
   * only shortly.
   */
  hurry(): void {
    this.#looks = 0;
    this.#urgent.wake();
    this.#wake.wake();
  }

  /** Says that a look has ended; resolves when the next one is due. Rejects with the signal's reason when it's aborted. */
  async nextAfterLook(signal: AbortSignal): Promise<void> {
    this.#lookedAt = this.#clock.now();
    await within(this.#clock, this.#interval * (1 - spread * Math.random()), signal, this.#wake);
    this.#looks = this.#clock.now() - this.#lookedAt < quiet ? this.#looks + 1 : 1;
    if (!(await within(this.#clock, backoffDelay(calm, this.#looks), signal, this.#urgent))) {
      await within(this.#clock, this.#pace.turn(), signal, this.#urgent);
    }
    signal.throwIfAborted();
  }
}

/** Resolves to true at the next wake-up; to false after that time, or when the signal is aborted. */
async function within(clock: Clock, ms: number, signal: AbortSignal, wake: Wake): Promise<boolean> {
  using deadline = new Deadline(clock, ms, signal);
  try {
    await wake.wait(deadline.signal);
    return true;
  } catch {
    return false;
  }
}
