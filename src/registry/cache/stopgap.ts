/**
 * A cache that stands in for another one until that can be reached. It then copies its items to the other cache and
 * uses that one from then on.
 */
import { type BackoffPolicy, backoffDelay, type Clock, forEachBounded } from "@weir/base";
import { ImageStoreAwayError } from "@weir/flux";
import type { CacheStore, ListableStore } from "./store.ts";

/** The caches that are involved. */
export interface StopgapOptions {
  /** The cache to use at first; closed after the switch. */
  readonly stopgap: ListableStore;
  /** Opens the permanent cache; called again and again while it rejects. */
  readonly open: () => Promise<CacheStore>;
  /** Called after the switch, with the number of items that were copied. */
  readonly onTakeover: (items: number) => void;
  readonly clock: Clock;
}

const policy: BackoffPolicy = { initialMs: 1_000, maxMs: 30_000, factor: 2, jitter: 0.2 };
/** The number of items to copy at a time. */
const itemsAtOnce = 100;

/** Uses the stopgap, and tries to open the permanent cache until `close` is called. */
export function openStopgap(options: StopgapOptions): CacheStore {
  const store = new StopgapCache(options);
  store.start();
  return store;
}

class StopgapCache implements CacheStore {
  readonly #options: StopgapOptions;
  readonly #stop = new AbortController();
  #store: CacheStore;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: StopgapOptions) {
    this.#options = options;
    this.#store = options.stopgap;
  }

  start(): void {
    // Ends with the switch, or rejects with the signal's reason.
    this.#looking = this.#look(this.#stop.signal).catch(() => undefined);
  }

  get(key: string): ReturnType<CacheStore["get"]> {
    return this.#store.get(key);
  }

  set(...item: Parameters<CacheStore["set"]>): Promise<void> {
    return this.#store.set(...item);
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error("the cache is closed"));
    await this.#looking;
    await this.#store.close();
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { stopgap, clock, onTakeover } = this.#options;
    for (let failures = 1; ; failures += 1) {
      await clock.sleep(backoffDelay(policy, failures), signal);
      const opened = await this.#open(signal);
      if (opened !== undefined) {
        this.#store = opened.store;
        await stopgap.close();
        onTakeover(opened.items);
        return;
      }
    }
  }

  /** Undefined if the cache can't be reached, or not for long enough to copy everything. */
  async #open(
    signal: AbortSignal,
  ): Promise<{ readonly store: CacheStore; readonly items: number } | undefined> {
    const store = await this.#options.open().catch(() => undefined);
    try {
      return store && { store, items: await takeAlong(this.#options.stopgap, store, signal) };
    } catch {
      await store?.close();
      signal.throwIfAborted();
      return undefined;
    }
  }
}

/** Items that already exist are kept: another process that shares the cache may have read them later than we did. */
async function takeAlong(from: ListableStore, to: CacheStore, signal: AbortSignal): Promise<number> {
  let taken = 0;
  await forEachBounded(from.keys(), itemsAtOnce, async (key) => {
    signal.throwIfAborted();
    const item = (await to.get(key)) === undefined ? await from.get(key) : undefined;
    if (item !== undefined && (await isAccepted(to.set(key, item)))) {
      taken += 1;
    }
  });
  return taken;
}

/** An item that's too large for the new cache is skipped; the rest is still copied. */
async function isAccepted(set: Promise<void>): Promise<boolean> {
  try {
    await set;
    return true;
  } catch (error) {
    if (error instanceof ImageStoreAwayError) {
      throw error;
    }
    return false;
  }
}
