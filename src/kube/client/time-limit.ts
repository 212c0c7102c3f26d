import type { Clock } from "../../base/clock.ts";

/** Something took longer than it may. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
}

/** A signal that is aborted with `signal`, or with a TimeLimitError after its time. Disposed of, it is let go. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
}

/** Begins to count now. */
export function timeLimit(clock: Clock, ms: number, signal?: AbortSignal): TimeLimit {
  const late = new AbortController();
  const over = new AbortController();
  clock.sleep(ms, over.signal).then(
    () => late.abort(new TimeLimitError(`it takes longer than ${ms / 1000} s`)),
    () => undefined,
  );
  return {
    signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    [Symbol.dispose]: () => over.abort(),
  };
}
