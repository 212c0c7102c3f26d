/** The value that's stored under a key. */
export interface CacheItem {
  readonly value: string;
  /** When to refresh it, in milliseconds since the epoch. It can still be read after that. */
  readonly deadline: number;
}

/**
 * Stores image metadata. Items can disappear at any time, so callers must be able to fetch them again. Methods reject
 * if the store can't be reached.
 */
export interface CacheStore {
  get(key: string): Promise<CacheItem | undefined>;
  set(key: string, item: CacheItem): Promise<void>;
  close(): Promise<void>;
}

/** A store that can list its keys. */
export interface ListableStore extends CacheStore {
  /** All keys that are still stored. */
  keys(): readonly string[];
}

const hour = 3_600;
/** Memcached takes a longer time for a date. */
const longest = 30 * 24 * hour;

/**
 * How long to keep an item, in whole seconds: twice the time until its deadline, so that there's time to refresh it,
 * and at least an hour. Same as in Flux v1.
 */
export function keptSeconds(deadline: number, now: number): number {
  const seconds = Math.floor((2 * (deadline - now)) / 1000);
  return Math.min(Math.max(seconds, hour), longest);
}
