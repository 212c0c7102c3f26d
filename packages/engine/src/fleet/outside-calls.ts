import { type Clock, Deadline, orAborted, TimeoutError } from "@weir/base";

/** A call to code that may never return. */
export interface OutsideCall {
  /** For logs and errors, e.g. "reading unit a from the store". */
  readonly what: string;
  /** How long to wait, in milliseconds; absent: until the signal is aborted. */
  readonly limitMs?: number;
  readonly signal: AbortSignal;
}

/**
 * Calls to code that isn't ours: stores, generators, and servers behind them. The caller never waits longer
 * than its limit, or than its signal allows, whatever the called code does; calls that go on after that are
 * abandoned, but remembered.
 */
export class OutsideCalls {
  readonly #clock: Clock;
  /** What is under way. */
  readonly #open = new Map<Promise<unknown>, string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Settles like `start`, unless the limit or the signal is first: then it rejects with TimeoutError, or with
   * the signal's reason.
   */
  async make<T>(
    { what, limitMs = Number.POSITIVE_INFINITY, signal }: OutsideCall,
    start: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const tooLate = (): TimeoutError => new TimeoutError(`${what} took longer than ${limitMs / 1000} s`);
    using limit = new Deadline(this.#clock, limitMs, signal, tooLate);
    const answer = Promise.try(() => start(limit.signal));
    this.#remember(answer, what);
    return await orAborted(answer, limit.signal);
  }

  /** Waits until no call is under way, for at most `ms`; resolves to what is still under way then. */
  async ended(ms: number): Promise<readonly string[]> {
    const enough = new AbortController();
    const limit = this.#clock.sleep(ms, enough.signal).catch(() => undefined);
    await Promise.race([this.#settled(), limit]);
    enough.abort();
    return [...this.#open.values()];
  }

  #remember(answer: Promise<unknown>, what: string): void {
    this.#open.set(answer, what);
    const forget = (): void => void this.#open.delete(answer);
    answer.then(forget, forget);
  }

  async #settled(): Promise<void> {
    while (this.#open.size > 0) {
      await Promise.allSettled(this.#open.keys());
    }
  }
}
