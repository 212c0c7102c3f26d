import type { Clock } from "./clock.ts";

/** Calls back once when its time has come; setting it again forgets the time before. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #pending: AbortController | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Rings in `ms` milliseconds from now. */
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

  /** Does not ring any more. */
  clear(): void {
    this.#pending?.abort();
    this.#pending = undefined;
  }
}
