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

const hour = 3_600_000;

/**
 * How long an item is kept, in whole seconds: twice the time until it is due again, so that there is time to
 * refresh it, and an hour at least. As Flux v1.
 */
export function keptSeconds(deadline: number, now: number): number {
  return Math.floor(Math.max(2 * (deadline - now), hour) / 1000);
}
