import { abortReason } from "./abort.ts";
import type { Clock } from "./clock.ts";

/** Something exceeded its time limit. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";

  constructor(message = "The operation was aborted due to timeout") {
    super(message);
  }
}

/** True if a signal was aborted because of a time limit. */
export function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof TimeoutError;
}

/** Ends the wait for a time limit. Without a reason, each abort would make an error with a stack of its own. */
const done = new Error("the work is done");

/**
 * A signal that's aborted together with another one, or when its time limit is reached. Dispose it when the work is
 * done. Unlike AbortSignal.any with AbortSignal.timeout, it leaves nothing for the garbage collector, which matters if
 * thousands are created per second.
 */
export class Deadline implements Disposable {
  readonly #work = new AbortController();
  readonly #wait = new AbortController();
  readonly #parent: AbortSignal | undefined;
  readonly #late: () => Error;
  #expired = false;

  /** The time limit is `ms` from now. `late` creates the reason for aborting then. */
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

  /** True if the time limit was reached before the work ended otherwise. */
  get expired(): boolean {
    return this.#expired;
  }

  /** There is no time limit anymore; the signal is still aborted together with its parent. */
  met(): void {
    this.#wait.abort(done);
  }

  [Symbol.dispose](): void {
    this.#parent?.removeEventListener("abort", this.#follow);
    this.#wait.abort(done);
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
