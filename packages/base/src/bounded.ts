/**
 * Does `work` for each item, at most `limit` at a time, and begins in the order of the items. Begins no more when one
 * fails or the signal is aborted. When everything that was begun has ended, it rejects with the first failure, if there
 * was one; an abort alone is no failure.
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

/** The results of `work` on all items, in their order; otherwise as forEachBounded. */
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
