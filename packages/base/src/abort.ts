/** What a signal was aborted with, as an Error; only to be asked of an aborted signal. */
export function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}

/**
 * Settles as `promise` does, or rejects with the signal's reason as soon as it is aborted. What the promise
 * stands for goes on: only the waiting ends.
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
 * Ends as soon as one of some signals is aborted, with its reason, until it is disposed. In the place of
 * AbortSignal.any where the signals are asked afterwards whether they were aborted: of signals that are such a union
 * themselves and that nobody listens to, Node does not always tell.
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
