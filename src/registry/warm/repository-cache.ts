import { forEachBounded } from "@weir/base";
import type { ImageName } from "@weir/flux";
import { manifestKey, repositoryKey } from "../cache/keys.ts";
import {
  emptyRecord,
  parseEntry,
  parseRepository,
  printEntry,
  printRepository,
  type RepositoryRecord,
} from "../cache/records.ts";
import type { CacheStore } from "../cache/store.ts";
import type { ImageEntry } from "../client.ts";
import { repositoryRefresh } from "../refresh.ts";
import type { CachedImage } from "./due-images.ts";

/** How many keys to request at once: enough to use the connection well, but few enough to get replies in time. */
const readsAtOnce = 100;

/** The records of one repository, by its canonical name. All methods reject if the store does. */
export class RepositoryCache {
  readonly #store: CacheStore;
  readonly #repository: ImageName;

  constructor(store: CacheStore, repository: ImageName) {
    this.#store = store;
    this.#repository = repository;
  }

  /** The record of the repository; an empty one if it's missing or can't be parsed. */
  async record(): Promise<RepositoryRecord> {
    const item = await this.#store.get(repositoryKey(this.#repository));
    return (item && parseRepository(item.value)) ?? emptyRecord;
  }

  async setRecord(record: RepositoryRecord, now: number): Promise<void> {
    const item = { value: printRepository(record), deadline: now + repositoryRefresh };
    await this.#store.set(repositoryKey(this.#repository), item);
  }

  /** The cached images for the tags; tags that aren't cached are left out of the map. */
  async images(tags: readonly string[]): Promise<ReadonlyMap<string, CachedImage>> {
    const found = new Map<string, CachedImage>();
    await forEachBounded(tags, readsAtOnce, async (tag) => {
      const item = await this.#store.get(manifestKey(this.#repository, tag));
      const entry = item && parseEntry(item.value, tag);
      if (item !== undefined && entry !== undefined) {
        found.set(tag, { entry, deadline: item.deadline });
      }
    });
    return found;
  }

  async setImage(tag: string, entry: ImageEntry, deadline: number): Promise<void> {
    await this.#store.set(manifestKey(this.#repository, tag), { value: printEntry(entry), deadline });
  }
}
