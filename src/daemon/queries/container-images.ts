import {
  type Container,
  emptyImageRef,
  type ImageInfo,
  type ImageName,
  type ImageRef,
  type ImageRepositories,
  printImageName,
  type RepositoryMetadata,
  sortImages,
  type TagPattern,
  unknownImageInfo,
} from "@weir/flux";
import { type ContainerField, type ContainerImagesReport, noImage, reportContainer } from "@weir/flux/api";

/** The images of repositories, sorted only as often as needed, since many containers share a repository. */
export class SortedImages {
  readonly #repositories: ImageRepositories;
  readonly #sorted = new Map<string, readonly ImageInfo[]>();

  constructor(repositories: ImageRepositories) {
    this.#repositories = repositories;
  }

  /** The current image of a container in lists: as in Flux v1, the image of its tag, even if there's also a digest. */
  current(image: ImageRef): ImageInfo {
    return this.#repositories.metadata(image).images.get(image.tag) ?? noImage;
  }

  /**
   * All images of a repository, sorted by a pattern; for a tag without metadata, an image that nothing is known about.
   */
  of(name: ImageName, pattern: TagPattern): readonly ImageInfo[] {
    const key = `${pattern.kind === "semver" ? "versions" : "times"} ${printImageName(name)}`;
    const sorted = this.#sorted.get(key) ?? sortImages(infosOf(this.#repositories.metadata(name)), pattern);
    this.#sorted.set(key, sorted);
    return sorted;
  }
}

/** Which images of a container to list, and which of their fields. */
export interface ContainerQuery {
  /** The container's tag filter. */
  readonly pattern: TagPattern;
  /** Other fields stay empty. */
  readonly fields: ReadonlySet<ContainerField>;
}

/** The images that a container could run. */
export function containerImages(
  { name, image }: Container,
  images: SortedImages,
  { pattern, fields }: ContainerQuery,
): ContainerImagesReport {
  const available = images.of(image, pattern);
  return reportContainer({ name, current: images.current(image), available }, pattern, fields);
}

function infosOf({ tags, images }: RepositoryMetadata): readonly ImageInfo[] {
  return tags.map((tag) => images.get(tag) ?? unknownImageInfo({ ...emptyImageRef, tag }));
}
