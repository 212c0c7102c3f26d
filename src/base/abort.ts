/** What a signal was aborted with, as an Error; only to be asked of an aborted signal. */
export function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}

/**
 * Settles as `promise` does, or rejects with the signal's reason as soon as it is aborted. What the promise
 * stands for goes on: only the waiting ends.
 */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(abortReason(signal));
    const done = (): void => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) {
      abort();
    }
    promise.then(resolve, reject).finally(done);
  });
}
