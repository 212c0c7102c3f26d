import { type ImageRef, isSameImage } from "./ref.ts";
import type { Timestamp } from "./timestamp.ts";

/** What a registry says about an image. Based on Flux's image.Info. */
export interface ImageInfo {
  readonly ref: ImageRef;
  /** The digest of the manifest, "sha256:…"; changes with each push of the tag. "" if it isn't known. */
  readonly digest: string;
  /** Identifies the image itself: the same for all of its tags. "" if it isn't known. */
  readonly imageId: string;
  readonly labels: ImageLabels;
  readonly createdAt?: Timestamp;
  /** When the manifest was last read from the registry. */
  readonly lastFetched?: Timestamp;
}

/** The labels with an image's build time. */
export interface ImageLabels {
  /** org.label-schema.build-date */
  readonly buildDate?: Timestamp;
  /** org.opencontainers.image.created */
  readonly created?: Timestamp;
}

/** What's known about an image repository: its tags, and the images of those that could be read. */
export interface RepositoryMetadata {
  readonly tags: readonly string[];
  /** By tag; a tag whose manifest is missing or invalid has no entry. */
  readonly images: ReadonlyMap<string, ImageInfo>;
  /** Why the last scan failed, so that this is older than it should be. */
  readonly scanError?: string;
}

/** A tag is known, but its image isn't. */
export class MissingImageMetadataError extends Error {
  override readonly name = "MissingImageMetadataError";
  readonly tag: string;

  constructor(tag: string) {
    super(`missing metadata for image tag ${JSON.stringify(tag)}`);
    this.tag = tag;
  }
}

/** The data for an image that nothing is known about. */
export function unknownImageInfo(ref: ImageRef): ImageInfo {
  return { ref, digest: "", imageId: "", labels: {} };
}

/**
 * The image that a reference names, in metadata with the same repository name. As in Flux v1, the whole reference must
 * match: one with a digest never matches a tag.
 */
export function findImage({ images }: RepositoryMetadata, ref: ImageRef): ImageInfo {
  const info = images.get(ref.tag);
  return info !== undefined && isSameImage(info.ref, ref) ? info : unknownImageInfo(ref);
}

/** The images of all tags, in the order of the tags. Throws MissingImageMetadataError. */
export function imagesOfTags({ tags, images }: RepositoryMetadata): readonly ImageInfo[] {
  return tags.map((tag) => {
    const info = images.get(tag);
    if (info === undefined) {
      throw new MissingImageMetadataError(tag);
    }
    return info;
  });
}
