import { abortReason } from "./abort.ts";
import type { Clock } from "./clock.ts";

/** Something took longer than it may. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";

  constructor(message = "The operation was aborted due to timeout") {
    super(message);
  }
}

/** True where a signal was aborted since the time was up. */
export function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof TimeoutError;
}

/**
 * A signal that is aborted with another one, or when its time is up. Dispose it when the work is done. Unlike
 * AbortSignal.any over AbortSignal.timeout it leaves nothing to the garbage collector, which tells where thousands
 * are made in a second.
 */
export class Deadline implements Disposable {
  readonly #work = new AbortController();
  readonly #wait = new AbortController();
  readonly #parent: AbortSignal | undefined;
  readonly #late: () => Error;
  #expired = false;

  /** `ms` from now. `late` makes the reason that the signal is aborted with then. */
  constructor(clock: Clock, ms: number, parent?: AbortSignal, late = (): Error => new TimeoutError()) {
    this.#parent = parent;
    this.#late = late;
    if (parent?.aborted === true) {
      this.#follow();
      return;
    }
    parent?.addEventListener("abort", this.#follow, { once: true });
    clock.sleep(ms, this.#wait.signal).then(
      () => this.#expire(),
      () => undefined,
    );
  }

  get signal(): AbortSignal {
    return this.#work.signal;
  }

  /** True where the time was up before anybody else ended the work. */
  get expired(): boolean {
    return this.#expired;
  }

  [Symbol.dispose](): void {
    this.#parent?.removeEventListener("abort", this.#follow);
    this.#wait.abort();
  }

  readonly #follow = (): void => {
    this.#work.abort(abortReason(this.#parent));
  };

  #expire(): void {
    if (!this.#work.signal.aborted) {
      this.#expired = true;
      this.#work.abort(this.#late());
    }
  }
}
