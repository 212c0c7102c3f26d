/** The reason of an aborted signal, as an Error. Call it only for an aborted signal. */
export function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}

/**
 * Settles like `promise`, or rejects with the signal's reason as soon as it's aborted. Only the waiting ends; the work
 * behind the promise continues.
 */
export function orAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) {
    return promise;
  }
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

/**
 * Aborts with the reason of the first of several signals that's aborted, until it's disposed. Use it instead of
 * AbortSignal.any if the signals are later checked for whether they were aborted: if these are such unions themselves
 * and nobody listens to them, Node doesn't always know.
 */
export class AnyAbort implements Disposable {
  readonly #controller = new AbortController();
  readonly #unlink: (() => void)[] = [];

  constructor(...signals: readonly AbortSignal[]) {
    for (const signal of signals) {
      const abort = (): void => this.#controller.abort(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      this.#unlink.push(() => signal.removeEventListener("abort", abort));
      if (signal.aborted) {
        abort();
      }
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#unlink.forEach((unlink) => unlink());
  }
}
