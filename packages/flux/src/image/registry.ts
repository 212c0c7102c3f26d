import { FluxError } from "../errors/flux-error.ts";
import type { ImageInfo, RepositoryMetadata } from "./info.ts";
import type { ImageName } from "./name.ts";
import type { ImageRef } from "./ref.ts";

/**
 * What's known about the images in registries. The data comes from earlier scans, so queries send no requests. They
 * reject with imageNotCachedError for images that weren't scanned yet, and with another error if the data can't be
 * read. Based on Flux's registry.Registry.
 */
export interface ImageRegistry {
  /** The tags of a repository and their images, under canonical names. */
  repositoryMetadata(name: ImageName, signal: AbortSignal): Promise<RepositoryMetadata>;
  /** One image. */
  image(ref: ImageRef, signal: AbortSignal): Promise<ImageInfo>;
  /**
   * The registry's current data, at the cost of some requests: all tags of a repository, and the images of the given
   * tags that exist, under canonical names. Corrects scanned data that differs. Rejects with RegistryAwayError.
   */
  confirm(name: ImageName, tags: readonly string[], signal: AbortSignal): Promise<RepositoryMetadata>;
}

/** The error for API clients if a repository or image wasn't scanned yet. The text is Flux v1's. */
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
 * The store of image metadata can't be reached. The store logs that once, and again when it's back, so nobody else
 * needs to.
 */
export class ImageStoreAwayError extends Error {
  override readonly name = "ImageStoreAwayError";
}

/** A registry can't be reached. The confirmer logs that once, so nobody else needs to. */
export class RegistryAwayError extends Error {
  override readonly name = "RegistryAwayError";
}

/** Image scanning is turned off. The message is Flux v1's, including the misspelling. */
export class ScanningDisabledError extends Error {
  override readonly name = "ScanningDisabledError";

  constructor() {
    super("cannot perfom operation, image scanning is disabled");
  }
}
