import { FluxError } from "../errors/flux-error.ts";
import type { ImageInfo, RepositoryMetadata } from "./info.ts";
import type { ImageName } from "./name.ts";
import type { ImageRef } from "./ref.ts";

/**
 * What is known of the images in registries. Answers come from what was scanned, so that asking costs no request.
 * They reject with imageNotCachedError for what was not scanned yet, with any other error where what is known cannot
 * be read. After Flux's registry.Registry.
 */
export interface ImageRegistry {
  /** The tags of a repository and their images, under canonical names. */
  repositoryMetadata(name: ImageName, signal: AbortSignal): Promise<RepositoryMetadata>;
  /** One image. */
  image(ref: ImageRef, signal: AbortSignal): Promise<ImageInfo>;
  /**
   * What the registry itself says now, at the price of some requests: all tags of a repository, and the images of
   * those of the given tags that have one, under canonical names. What was scanned is mended where it differs. Rejects
   * with RegistryAwayError.
   */
  confirm(name: ImageName, tags: readonly string[], signal: AbortSignal): Promise<RepositoryMetadata>;
}

/** Nothing was scanned yet of a repository or an image; what callers of the API are told. Text as Flux v1's. */
export function imageNotCachedError(): FluxError {
  return new FluxError(
    "missing",
    "item not in cache",
    `Image not yet cached

It takes time to initially cache all the images. Please wait.

If you have waited for a long time, check the Flux logs. Potential
reasons for the error are: no internet, no cache, error with the remote
repository.
`,
  );
}

/**
 * Where it is kept what is known of images cannot be reached. Whoever keeps it says so in the log, once, and when it
 * is back: nobody else needs to.
 */
export class ImageStoreAwayError extends Error {
  override readonly name = "ImageStoreAwayError";
}

/** A registry cannot be asked. Whoever asks it says so in the log, once: nobody else needs to. */
export class RegistryAwayError extends Error {
  override readonly name = "RegistryAwayError";
}

/** A registry before its first scan. */
export const unscannedRegistry: ImageRegistry = {
  repositoryMetadata: () => Promise.reject(imageNotCachedError()),
  image: () => Promise.reject(imageNotCachedError()),
  confirm: () => Promise.reject(imageNotCachedError()),
};
