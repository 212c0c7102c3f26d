import { type Clock, Deadline } from "@weir/base";

/** Lets clean-up go on for a limited time after everything else was aborted. */
export class LateDeadline implements Disposable {
  readonly #aborted = new AbortController();
  readonly #clock: Clock;
  readonly #grace: number;
  readonly #parent: AbortSignal;
  #limit: Deadline | undefined;

  /** `grace` is how long after the parent its signal is aborted, in milliseconds. */
  constructor(clock: Clock, grace: number, parent: AbortSignal) {
    this.#clock = clock;
    this.#grace = grace;
    this.#parent = parent;
    if (parent.aborted) {
      this.#begin();
    } else {
      parent.addEventListener("abort", this.#begin, { once: true });
    }
  }

  get signal(): AbortSignal {
    return this.#aborted.signal;
  }

  [Symbol.dispose](): void {
    this.#parent.removeEventListener("abort", this.#begin);
    this.#limit?.[Symbol.dispose]();
  }

  readonly #begin = (): void => {
    const limit = new Deadline(this.#clock, this.#grace);
    limit.signal.addEventListener("abort", () => this.#aborted.abort(limit.signal.reason), { once: true });
    this.#limit = limit;
  };
}
