/**
 * Image metadata for the daemon, from the cache; registries are queried only to confirm it. Takes names as manifests
 * spell them, and returns tags and images under canonical names.
 */
import { globMatches } from "@weir/base";
import {
  canonicalImageName,
  canonicalImageRef,
  type ImageInfo,
  type ImageName,
  type ImageRef,
  type ImageRegistry,
  imageNotCachedError,
  printImageName,
  RegistryAwayError,
  type RepositoryMetadata,
  ScanningDisabledError,
} from "@weir/flux";
import { manifestKey, repositoryKey } from "./cache/keys.ts";
import { parseEntry, parseRepository } from "./cache/records.ts";
import type { CacheStore } from "./cache/store.ts";

/** Reads what the warmer has stored in the cache. */
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

export interface CachedRegistryOptions {
  readonly store: CacheStore;
  /** Globs over canonical names of images whose creation time comes from their labels. */
  readonly useLabels: readonly string[];
  /** Confirms with registries; if undefined, nothing can be confirmed. */
  readonly confirm?: ImageRegistry["confirm"];
}

/** Used if images aren't scanned: nothing is known. */
export const disabledRegistry: ImageRegistry = {
  repositoryMetadata: () => Promise.reject(new ScanningDisabledError()),
  image: () => Promise.reject(new ScanningDisabledError()),
  confirm: () => Promise.reject(new ScanningDisabledError()),
};

/** An image that's known but can't be used. */
export class ExcludedImageError extends Error {
  override readonly name = "ExcludedImageError";
}

/** A repository that could never be read. The message contains the last error. */
export class NeverReadError extends Error {
  override readonly name = "NeverReadError";
  readonly lastError: string;

  constructor(lastError: string) {
    super(`item not in cache, last error: ${lastError}`);
    this.lastError = lastError;
  }
}

function noRegistry(): Promise<never> {
  return Promise.reject(new RegistryAwayError("image scanning is turned off"));
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
  const { tags, images, lastError } = record;
  const known = { tags, images: underName(repository, images) };
  return lastError === "" ? known : { ...known, scanError: lastError };
}

/** The name that a record is stored under counts, not the names in it. They're usually the same. */
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
  { tags, images, ...rest }: RepositoryMetadata,
  useLabels: readonly string[],
): RepositoryMetadata {
  const canonical = printImageName(canonicalImageName(name));
  return useLabels.some((glob) => globMatches(glob, canonical))
    ? { ...rest, tags, images: new Map([...images].map(([tag, info]) => [tag, madeAsLabelled(info)])) }
    : { ...rest, tags, images };
}

function madeAsLabelled(info: ImageInfo): ImageInfo {
  const createdAt = info.labels.created ?? info.labels.buildDate ?? info.createdAt;
  return createdAt === undefined ? info : { ...info, createdAt };
}
