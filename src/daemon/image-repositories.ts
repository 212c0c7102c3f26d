import { type Logger, messageOf, quoteGo } from "@weir/base";
import {
  canonicalImageName,
  exactlyOneImage,
  FluxError,
  type ImageName,
  type ImageRef,
  type ImageRegistry,
  ImageRepositories,
  ImageStoreAwayError,
  printImageName,
  printImageRef,
  type RepositoryMetadata,
} from "@weir/flux";

/**
 * Fetches what's known about repositories. If one can't be read, that's logged and it has no images. The same goes for
 * one that wasn't scanned yet, and for all of them while the cache is unavailable. Like Flux v1's FetchImageRepos.
 */
export async function fetchImageRepositories(
  names: readonly ImageName[],
  registry: ImageRegistry,
  logger: Logger,
  signal: AbortSignal,
): Promise<ImageRepositories> {
  const known = await Promise.all(
    names.map(async (name) => {
      const metadata = await fetchRepository(name, registry, logger, signal);
      return metadata === undefined ? [] : [[name, metadata] as const];
    }),
  );
  return new ImageRepositories(known.flat());
}

/** Nothing is known about an image that should be released; the message is Flux v1's. */
export class NoSuchImageError extends Error {
  override readonly name = "NoSuchImageError";
  readonly image: string;

  constructor(image: string, options?: ErrorOptions) {
    super(`image ${quoteGo(image)} does not exist: invalid image ID`, options);
    this.image = image;
  }
}

/**
 * Fetches a single image. Rejects with NoSuchImageError if nothing is known about it, because git must not refer to an
 * image that doesn't exist.
 */
export async function fetchOneImage(
  ref: ImageRef,
  registry: ImageRegistry,
  signal: AbortSignal,
): Promise<ImageRepositories> {
  try {
    await registry.image(ref, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new NoSuchImageError(printImageRef(ref), { cause: error });
  }
  return exactlyOneImage(ref);
}

async function fetchRepository(
  name: ImageName,
  registry: ImageRegistry,
  logger: Logger,
  signal: AbortSignal,
): Promise<RepositoryMetadata | undefined> {
  try {
    return await registry.repositoryMetadata(name, signal);
  } catch (error) {
    signal.throwIfAborted();
    const isMissing = error instanceof FluxError && error.kind === "missing";
    if (!isMissing && !(error instanceof ImageStoreAwayError)) {
      const repository = printImageName(canonicalImageName(name));
      logger.log({ err: `fetching image metadata for ${repository}: ${messageOf(error)}` });
    }
    return undefined;
  }
}
