/** Calls `work` for each item, with a limited number of calls at the same time. */
export async function eachInParallel<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (const item of queue) {
        await work(item);
      }
    }),
  );
}
