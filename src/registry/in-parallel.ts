/**
 * Does the work for each item, so many at a time. Stops to begin new work when one fails, and rejects with that
 * error when what was begun is over.
 */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let failed = false;
  async function worker(): Promise<void> {
    for (const item of queue) {
      if (failed) {
        return;
      }
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  const ended = await Promise.allSettled(workers);
  const broken = ended.find((each) => each.status === "rejected");
  if (broken !== undefined) {
    throw broken.reason;
  }
}
