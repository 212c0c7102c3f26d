import { abortReason } from "./abort.ts";
import { Alarm } from "./alarm.ts";
import type { Clock } from "./clock.ts";

/** A signal that follows another one after a delay, so that nearly finished work, or clean-up, can complete. */
export class Grace implements Disposable {
  readonly #controller = new AbortController();
  readonly #stop: () => void;

  /** `ms` is how long after the other signal this one is aborted; if that was aborted before, how long from now. */
  constructor(clock: Clock, ms: number, signal: AbortSignal) {
    const alarm = new Alarm(clock, () => this.#controller.abort(abortReason(signal)));
    const onAbort = (): void => alarm.set(ms);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
    }
    this.#stop = () => {
      alarm.clear();
      signal.removeEventListener("abort", onAbort);
    };
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}
