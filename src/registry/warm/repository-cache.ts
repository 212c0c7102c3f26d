import { forEachBounded } from "@weir/base";
import type { ImageName } from "../../image/name.ts";
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

/** How many keys are asked for at once: enough to fill the line, few enough to be answered in time. */
const readsAtOnce = 100;

/** The records of one repository, given by its canonical name. All methods reject where the store does. */
export class RepositoryCache {
  readonly #store: CacheStore;
  readonly #repository: ImageName;

  constructor(store: CacheStore, repository: ImageName) {
    this.#store = store;
    this.#repository = repository;
  }

  /** The record of the repository; an empty one where there is none that can be read. */
  async record(): Promise<RepositoryRecord> {
    const item = await this.#store.get(repositoryKey(this.#repository));
    return (item && parseRepository(item.value)) ?? emptyRecord;
  }

  async setRecord(record: RepositoryRecord, now: number): Promise<void> {
    const item = { value: printRepository(record), deadline: now + repositoryRefresh };
    await this.#store.set(repositoryKey(this.#repository), item);
  }

  /** What is known of the tags; those of which nothing is known are not in the map. */
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
