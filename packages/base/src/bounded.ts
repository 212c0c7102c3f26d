/**
 * Does `work` for each item, at most `limit` at a time, starting in the order of the items. Starts nothing more when
 * one fails or the signal is aborted. When everything that was started has ended, rejects with the first failure, if
 * any; an abort alone isn't a failure.
 */
export async function forEachBounded<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  async function worker(): Promise<void> {
    for (const item of queue) {
      if (failures.length > 0 || signal?.aborted === true) {
        return;
      }
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) {
    throw failures[0];
  }
}

/** The results of `work` for all items, in their order; otherwise like forEachBounded. */
export async function mapBounded<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  await forEachBounded([...items.entries()], limit, async ([index, item]) => {
    results[index] = await work(item);
  });
  return results;
}
