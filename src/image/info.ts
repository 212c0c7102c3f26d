import { type ImageRef, isSameImage } from "./ref.ts";
import type { Timestamp } from "./timestamp.ts";

/** What a registry tells of an image. After Flux's image.Info. */
export interface ImageInfo {
  readonly ref: ImageRef;
  /** Digest of the manifest, "sha256:…"; changes with each push of the tag. "" where not known. */
  readonly digest: string;
  /** Names the image itself: the same for all tags that point at it. "" where not known. */
  readonly imageId: string;
  readonly labels: ImageLabels;
  readonly createdAt?: Timestamp;
  /** When the manifest was read from the registry last. */
  readonly lastFetched?: Timestamp;
}

/** The labels that say when an image was built. */
export interface ImageLabels {
  /** org.label-schema.build-date */
  readonly buildDate?: Timestamp;
  /** org.opencontainers.image.created */
  readonly created?: Timestamp;
}

/** What is known of a repository of images: its tags, and the images of those that could be read. */
export interface RepositoryMetadata {
  readonly tags: readonly string[];
  /** By tag; a tag whose manifest is missing or broken has none. */
  readonly images: ReadonlyMap<string, ImageInfo>;
}

/** A tag is known, but not what it points at. */
export class MissingImageMetadataError extends Error {
  override readonly name = "MissingImageMetadataError";
  readonly tag: string;

  constructor(tag: string) {
    super(`missing metadata for image tag ${JSON.stringify(tag)}`);
    this.tag = tag;
  }
}

/** All that is known of a reference of which nothing is known. */
export function unknownImageInfo(ref: ImageRef): ImageInfo {
  return { ref, digest: "", imageId: "", labels: {} };
}

/**
 * What is known of the image that a reference names, in metadata that is under the same name. As Flux v1, the whole
 * reference has to be the same: one with a digest is that of no tag, whatever tag stands beside it.
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
