import { toError } from "../../base/errors.ts";

/** The outcome of `promise`, or a rejection with the signal's reason as soon as it is aborted. */
export function abortable<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) {
    return promise;
  }
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(toError(signal.reason));
      return;
    }
    signal.addEventListener("abort", aborted, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
    function aborted(): void {
      reject(toError(signal?.reason));
    }
  });
}
