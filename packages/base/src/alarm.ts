import type { Clock } from "./clock.ts";

/** Calls back once at a given time; setting it again replaces the earlier time. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #pending: AbortController | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Whether it's going to ring. */
  get isSet(): boolean {
    return this.#pending !== undefined;
  }

  /** Sets the alarm to `ms` milliseconds from now. */
  set(ms: number): void {
    this.clear();
    const pending = new AbortController();
    this.#pending = pending;
    this.#clock.sleep(ms, pending.signal).then(
      () => {
        this.#pending = undefined;
        this.#ring();
      },
      () => undefined,
    );
  }

  /** Cancels the alarm. */
  clear(): void {
    this.#pending?.abort();
    this.#pending = undefined;
  }
}
