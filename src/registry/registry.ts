/**
 * Image metadata as the daemon reads it: from the cache, and from a registry only to confirm it. In flow names as manifests spell
 * them, out flow tags and images under canonical names.
 */
import { globMatches } from "@weir/base";
import type { ImageInfo, RepositoryMetadata } from "../image/info.ts";
import { canonicalImageName, type ImageName, printImageName } from "../image/name.ts";
import { canonicalImageRef, type ImageRef } from "../image/ref.ts";
import { type ImageRegistry, imageNotCachedError, RegistryAwayError } from "../image/registry.ts";
import { manifestKey, repositoryKey } from "./cache/keys.ts";
import { parseEntry, parseRepository } from "./cache/records.ts";
import type { CacheStore } from "./cache/store.ts";

/** What is read, and how. */
export interface CachedRegistryOptions {
  readonly store: CacheStore;
  /** Globs over canonical names: the images were made when their labels say so. */
  readonly useLabels: readonly string[];
  /** Asks registries themselves; without it none can be asked. */
  readonly confirm?: ImageRegistry["confirm"];
}

/** Reads what the warmer has put into the cache. */
export function createCachedRegistry({
  store,
  useLabels,
  confirm = noRegistry,
}: CachedRegistryOptions): ImageRegistry {
  return {
    repositoryMetadata: async (name) => labelled(name, await readRepository(name, store), useLabels),
    image: (ref) => readImage(ref, store),
    confirm: async (name, tags, signal) => labelled(name, await confirm(name, tags, signal), useLabels),
  };
}

/** Where images are not scanned: nothing is known. The message is Flux v1's, its spelling included. */
export const disabledRegistry: ImageRegistry = {
  repositoryMetadata: () => Promise.reject(new ScanningDisabledError()),
  image: () => Promise.reject(new ScanningDisabledError()),
  confirm: () => Promise.reject(new ScanningDisabledError()),
};

/** An image is known, and not fit for use. */
export class ExcludedImageError extends Error {
  override readonly name = "ExcludedImageError";
}

/** A repository could never be read; what last went wrong is told instead. */
export class NeverReadError extends Error {
  override readonly name = "NeverReadError";
  readonly lastError: string;

  constructor(lastError: string) {
    super(`item not in cache, last error: ${lastError}`);
    this.lastError = lastError;
  }
}

function noRegistry(): Promise<never> {
  return Promise.reject(new RegistryAwayError("registries are not asked"));
}

async function readRepository(name: ImageName, store: CacheStore): Promise<RepositoryMetadata> {
  const repository = canonicalImageName(name);
  const item = await store.get(repositoryKey(repository));
  const record = item && parseRepository(item.value);
  if (record?.lastUpdate === undefined) {
    throw record === undefined || record.lastError === ""
      ? imageNotCachedError()
      : new NeverReadError(record.lastError);
  }
  return { tags: record.tags, images: underName(repository, record.images) };
}

/** The name under which a record is found counts, and not those that stand in it; most often they are the same. */
function underName(
  { domain, image }: ImageName,
  images: ReadonlyMap<string, ImageInfo>,
): ReadonlyMap<string, ImageInfo> {
  const isNamed = ({ ref }: ImageInfo): boolean =>
    ref.domain === domain && ref.image === image && ref.sha === "";
  return [...images.values()].every(isNamed)
    ? images
    : new Map(
        [...images].map(([tag, info]) => [
          tag,
          { ...info, ref: { domain, image, tag: info.ref.tag, sha: "" } },
        ]),
      );
}

async function readImage(ref: ImageRef, store: CacheStore): Promise<ImageInfo> {
  const { tag, ...repository } = canonicalImageRef(ref);
  const item = await store.get(manifestKey(repository, tag));
  const entry = item && parseEntry(item.value, tag);
  if (entry === undefined) {
    throw imageNotCachedError();
  }
  if (entry.kind === "excluded") {
    throw new ExcludedImageError(entry.reason);
  }
  return entry.info;
}

function labelled(
  name: ImageName,
  { tags, images }: RepositoryMetadata,
  useLabels: readonly string[],
): RepositoryMetadata {
  const canonical = printImageName(canonicalImageName(name));
  return useLabels.some((glob) => globMatches(glob, canonical))
    ? { tags, images: new Map([...images].map(([tag, info]) => [tag, madeAsLabelled(info)])) }
    : { tags, images };
}

function madeAsLabelled(info: ImageInfo): ImageInfo {
  const createdAt = info.labels.created ?? info.labels.buildDate ?? info.createdAt;
  return createdAt === undefined ? info : { ...info, createdAt };
}

/** Images are not scanned. */
export class ScanningDisabledError extends Error {
  override readonly name = "ScanningDisabledError";

  constructor() {
    super("cannot perfom operation, image scanning is disabled");
  }
}
