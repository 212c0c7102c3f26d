import { silentLogger, systemClock } from "@weir/base";
import { type ImageInfo, parseImageRef, timestampOf } from "@weir/flux";
import type { CacheStore } from "../../src/registry/cache/store.ts";
import { openMemcached } from "../../src/registry/memcached/memcached.ts";
import { RepositoryCache } from "../../src/registry/warm/repository-cache.ts";
import type { MemcachedServer } from "./registry-memcached.ts";

/** Whoever reaches memcached's port writes into it what they like. */
export class Forger implements AsyncDisposable {
  readonly #store: CacheStore;

  private constructor(store: CacheStore) {
    this.#store = store;
  }

  static async start(memcached: MemcachedServer): Promise<Forger> {
    const findServers = (): Promise<readonly MemcachedServer[]> => Promise.resolve([memcached]);
    return new Forger(
      await openMemcached({ findServers, timeoutMs: 5_000, clock: systemClock, logger: silentLogger }),
    );
  }

  /** What is known of an image: by tag, on which day it was made. */
  async forge(image: string, days: Readonly<Record<string, number>>): Promise<void> {
    const cache = new RepositoryCache(this.#store, parseImageRef(image));
    const { images } = await cache.record();
    const infos = Object.entries(days).map(([tag, day]): readonly [string, ImageInfo] => {
      const ref = { ...parseImageRef(image), tag };
      const known = images.get(tag) ?? { ref, digest: `sha256:${"f".repeat(64)}`, imageId: "", labels: {} };
      return [tag, { ...known, createdAt: timestampOf(new Date(Date.UTC(2020, 5, day, 8))) }];
    });
    const lastUpdate = timestampOf(new Date());
    for (const [tag, info] of infos) {
      await cache.setImage(tag, { kind: "image", info }, Date.now() + 3_600_000);
    }
    const record = { tags: Object.keys(days), images: new Map(infos), lastError: "", lastUpdate };
    await cache.setRecord(record, Date.now());
  }

  /** On which day an image is said to be made. */
  async dayOf(image: string, tag: string): Promise<number | undefined> {
    const { images } = await new RepositoryCache(this.#store, parseImageRef(image)).record();
    const createdAt = images.get(tag)?.createdAt;
    return createdAt === undefined ? undefined : new Date(createdAt).getUTCDate();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#store.close();
  }
}
