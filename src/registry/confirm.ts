/**
 * Verifies with the registries what a cache claims, since anybody who can reach memcached can write to it. Takes names
 * and tags, and returns what the registry says. Corrects cached records that differ.
 */

import { type Clock, Deadline, forEachBounded, type Logger, messageOf } from "@weir/base";
import {
  canonicalImageName,
  type ImageInfo,
  type ImageName,
  printImageName,
  RegistryAwayError,
  type RegistryCredentials,
  type RepositoryMetadata,
  timestampOf,
} from "@weir/flux";
import type { CacheStore } from "./cache/store.ts";
import type { ImageEntry, RegistryClients, RepositoryClient } from "./client.ts";
import { RegistryError } from "./errors.ts";
import { nextRefresh } from "./refresh.ts";
import { RepositoryCache } from "./warm/repository-cache.ts";

/** The daemon waits this long at most. */
const limitMs = 20_000;
const imagesAtOnce = 10;

/** The tags of a repository, and what the requested ones refer to. */
interface Said {
  readonly tags: readonly string[];
  readonly entries: ReadonlyMap<string, ImageEntry>;
}

export class Confirmer {
  readonly #options: ConfirmerOptions;
  readonly #away = new Set<string>();

  constructor(options: ConfirmerOptions) {
    this.#options = options;
  }

  /** See ImageRegistry. A registry that can't be reached is logged once, until it responds again. */
  async confirm(name: ImageName, tags: readonly string[], signal: AbortSignal): Promise<RepositoryMetadata> {
    const repository = canonicalImageName(name);
    const said = await this.#ask(repository, tags, signal);
    // The cache is corrected if possible; in any case, the registry's data is what counts.
    await this.#mend(repository, tags, said).catch(() => undefined);
    return { tags: said.tags, images: imagesOf(said) };
  }

  async #ask(repository: ImageName, tags: readonly string[], signal: AbortSignal): Promise<Said> {
    const { clients, credentialsOf, clock, logger } = this.#options;
    const image = printImageName(repository);
    using deadline = new Deadline(clock, limitMs, signal);
    try {
      const credentials = await credentialsOf(repository, deadline.signal);
      const said = await read(clients.clientFor(repository, credentials), tags, deadline.signal);
      this.#away.delete(image);
      return said;
    } catch (error) {
      signal.throwIfAborted();
      if (!this.#away.has(image)) {
        this.#away.add(image);
        logger.log({
          warning:
            "cannot verify cached image metadata with the registry; the image isn't released until that succeeds",
          image,
          err: messageOf(error),
        });
      }
      throw new RegistryAwayError(messageOf(error), { cause: error });
    }
  }

  async #mend(repository: ImageName, tags: readonly string[], said: Said): Promise<void> {
    const { store, clock, onDifference } = this.#options;
    const cache = new RepositoryCache(store, repository);
    const { tags: known, images } = await cache.record();
    const isOther = (tag: string): boolean => !isSame(images.get(tag), imageOf(said.entries.get(tag)));
    const others = tags.filter((tag) => said.tags.includes(tag) && isOther(tag));
    const news = new Set(said.tags).difference(new Set(known));
    if (others.length === 0 && news.size === 0 && known.length === said.tags.length) {
      return;
    }
    const now = clock.now();
    await forEachBounded(others, imagesAtOnce, async (tag) => {
      const entry = said.entries.get(tag);
      if (entry !== undefined) {
        await cache.setImage(tag, fetchedAt(entry, now), now + nextRefresh(entry, undefined));
      }
    });
    onDifference(repository, [...new Set([...others, ...news])]);
  }
}

export interface ConfirmerOptions {
  readonly clients: RegistryClients;
  readonly store: CacheStore;
  /** The credentials for the registry of a repository, by the canonical name of the repository. */
  readonly credentialsOf: (repository: ImageName, signal: AbortSignal) => Promise<RegistryCredentials>;
  /** Called if the cache and the registry differ: the repository needs a scan, these tags in particular. */
  readonly onDifference: (repository: ImageName, tags: readonly string[]) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

async function read(client: RepositoryClient, asked: readonly string[], signal: AbortSignal): Promise<Said> {
  const tags = await unlessUnknown(client.tags(signal), []);
  const entries = new Map<string, ImageEntry>();
  await forEachBounded(
    asked.filter((tag) => tags.includes(tag)),
    imagesAtOnce,
    async (tag) => {
      const fetched = await unlessUnknown(client.image(tag, signal), undefined);
      if (fetched !== undefined) {
        entries.set(tag, fetched.entry);
      }
    },
  );
  return { tags, entries };
}

/** If the repository or manifest doesn't exist, that's an answer too. */
async function unlessUnknown<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RegistryError && error.failure === "unknown") {
      return otherwise;
    }
    throw error;
  }
}

function imagesOf({ entries }: Said): ReadonlyMap<string, ImageInfo> {
  return new Map(
    [...entries].flatMap(([tag, entry]) => {
      const info = imageOf(entry);
      return info === undefined ? [] : [[tag, info] as const];
    }),
  );
}

function imageOf(entry: ImageEntry | undefined): ImageInfo | undefined {
  return entry?.kind === "image" ? entry.info : undefined;
}

function isSame(a: ImageInfo | undefined, b: ImageInfo | undefined): boolean {
  return (
    a?.digest === b?.digest &&
    a?.imageId === b?.imageId &&
    a?.createdAt === b?.createdAt &&
    a?.labels.created === b?.labels.created &&
    a?.labels.buildDate === b?.labels.buildDate
  );
}

function fetchedAt(entry: ImageEntry, now: number): ImageEntry {
  return entry.kind === "excluded"
    ? entry
    : { ...entry, info: { ...entry.info, lastFetched: timestampOf(new Date(now)) } };
}
