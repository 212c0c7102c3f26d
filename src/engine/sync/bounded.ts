/**
 * Does `work` for each item, so many at once, in their order; begins none after the signal is aborted, and
 * resolves when all that were begun are done. `work` must not reject.
 */
export async function forEachBounded<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queue = items.values();
  async function worker(): Promise<void> {
    for (const item of queue) {
      if (signal.aborted) {
        return;
      }
      await work(item);
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
