import { type Logger, messageOf, quoteGo } from "@weir/base";
import { FluxError } from "../errors/flux-error.ts";
import type { RepositoryMetadata } from "../image/info.ts";
import { canonicalImageName, type ImageName, printImageName } from "../image/name.ts";
import { type ImageRef, printImageRef } from "../image/ref.ts";
import { type ImageRegistry, ImageStoreAwayError } from "../image/registry.ts";
import { exactlyOneImage, ImageRepositories } from "../update/images.ts";

/** An image that is to be released is not known; the message is Flux v1's. */
export class NoSuchImageError extends Error {
  override readonly name = "NoSuchImageError";
  readonly image: string;

  constructor(image: string, options?: ErrorOptions) {
    super(`image ${quoteGo(image)} does not exist: invalid image ID`, options);
    this.image = image;
  }
}

/**
 * What is known of repositories. One that cannot be read is told in the log and goes without images, as does one that
 * was not scanned yet, and all while the place where they are kept is away. As Flux v1's FetchImageRepos.
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

/** An image by itself. Rejects with NoSuchImageError where nothing is known of it, for git must not name what is not there. */
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
