import { abortReason } from "./abort.ts";
import type { Clock } from "./clock.ts";

/**
 * A signal that is aborted with another one, or when its time is up. Dispose it when the work is done. Unlike
 * AbortSignal.any over AbortSignal.timeout it leaves nothing to the garbage collector, which tells where thousands
 * are made in a second.
 */
export class Deadline implements Disposable {
  readonly #work = new AbortController();
  readonly #wait = new AbortController();
  readonly #parent: AbortSignal | undefined;
  #expired = false;

  /** `ms` from now. */
  constructor(clock: Clock, ms: number, parent?: AbortSignal) {
    this.#parent = parent;
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
      this.#work.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    }
  }
}
