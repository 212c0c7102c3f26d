import type { Query, QueryClient } from "@tanstack/react-query";

/** Answers that are on their way, and will be asked for again once they're here. */
const late = new WeakSet<Query>();

/**
 * Has answers asked for again that may be stale: at once if they're shown, otherwise when they're shown again. One that's
 * on its way may have been read before the change. It isn't cancelled, because it would never arrive if changes come
 * faster than answers; it's asked for once more afterwards.
 */
export function askAgain(queries: QueryClient, isStale: (query: Query) => boolean): void {
  const isOnItsWay = ({ state }: Query): boolean => state.fetchStatus === "fetching";
  const onTheirWay = queries
    .getQueryCache()
    .findAll({ predicate: (query) => isStale(query) && isOnItsWay(query) });
  void queries.invalidateQueries({ predicate: (query) => isStale(query) && !isOnItsWay(query) });
  for (const query of onTheirWay.filter((each) => !late.has(each))) {
    late.add(query);
    void askAfterAnswer(queries, query);
  }
}

async function askAfterAnswer(queries: QueryClient, query: Query): Promise<void> {
  await query.promise?.catch(() => undefined);
  late.delete(query);
  await queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
}
