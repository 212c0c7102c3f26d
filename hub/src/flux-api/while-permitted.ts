/**
 * Does work that may take long, for as long as it's permitted. Rejects with the work's error, or with that of
 * `untilRefused`, which never resolves; the other one's signal is aborted then.
 */
export async function whilePermitted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  untilRefused: (signal: AbortSignal) => Promise<never>,
  signal: AbortSignal,
): Promise<T> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  try {
    return await Promise.race([work(either), untilRefused(either)]);
  } finally {
    over.abort();
  }
}
