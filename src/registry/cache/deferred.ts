import type { CacheStore } from "./store.ts";

/** A store that's still being opened. Calls wait until it's open. `opening` must not reject. */
export function deferredStore(opening: Promise<CacheStore>): CacheStore {
  return {
    get: async (key) => (await opening).get(key),
    set: async (key, item) => (await opening).set(key, item),
    close: async () => (await opening).close(),
  };
}
