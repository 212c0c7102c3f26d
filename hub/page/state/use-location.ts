import { useCallback, useMemo } from "react";
import { navigate, usePathname, useSearch } from "wouter/use-browser-location";
import { type Filters, type FilterValues, readFilters, writeFilters } from "./filters.ts";

export { navigate, usePathname, useSearch };

/** The filters of a screen, which live in the address, and a function that changes some of them. */
export function useFilters<const F extends Filters>(
  filters: F,
): readonly [FilterValues<F>, (change: Partial<FilterValues<F>>) => void] {
  const search = useSearch();
  const values = useMemo(() => readFilters(search, filters), [search, filters]);
  const set = useCallback(
    (change: Partial<FilterValues<F>>) => {
      const now = readFilters(location.search, filters);
      const query = writeFilters({ ...now, ...change }, filters);
      navigate(`${location.pathname}${query}`, { replace: true });
    },
    [filters],
  );
  return [values, set];
}
