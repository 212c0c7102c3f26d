/** What is kept under a key. */
export interface CacheItem {
  readonly value: string;
  /** When it should be read anew, in milliseconds since the epoch; it may be older. */
  readonly deadline: number;
}

/**
 * Where image metadata is kept. What is put in may be gone at any time: whoever reads must be able to get it
 * again. Methods reject where the store cannot be reached.
 */
export interface CacheStore {
  get(key: string): Promise<CacheItem | undefined>;
  set(key: string, item: CacheItem): Promise<void>;
  close(): Promise<void>;
}

/** A store that knows what it holds. */
export interface ListableStore extends CacheStore {
  /** All keys that were not forgotten yet. */
  keys(): readonly string[];
}

const hour = 3_600;
/** What is longer is a date to memcached. */
const longest = 30 * 24 * hour;

/**
 * How long an item is kept, in whole seconds: twice the time until it is due again, so that there is time to
 * refresh it, and an hour at least. As Flux v1.
 */
export function keptSeconds(deadline: number, now: number): number {
  const seconds = Math.floor((2 * (deadline - now)) / 1000);
  return Math.min(Math.max(seconds, hour), longest);
}
