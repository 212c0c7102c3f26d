import {
  type ImageInfo,
  imagesOfTags,
  MissingImageMetadataError,
  type RepositoryMetadata,
} from "../image/info.ts";
import { canonicalImageName, type ImageName, printImageName } from "../image/name.ts";
import type { ImageRef } from "../image/ref.ts";
import { newestOf } from "../image/sort.ts";
import type { TagPattern } from "../image/tag-pattern.ts";

const nothingKnown: RepositoryMetadata = { tags: [], images: new Map() };

/**
 * What's known about image repositories, however their names are spelled. Many containers share a repository and a
 * pattern, so results are reused.
 */
export class ImageRepositories {
  readonly #named: readonly (readonly [ImageName, RepositoryMetadata])[];
  readonly #byCanonicalName: ReadonlyMap<string, RepositoryMetadata>;
  readonly #renamed = new Map<string, RepositoryMetadata>();
  readonly #newest = new Map<string, NewestImage>();

  constructor(repositories: Iterable<readonly [ImageName, RepositoryMetadata]>) {
    this.#named = [...repositories];
    this.#byCanonicalName = new Map(this.#named.map(([name, known]) => [keyOf(name), known]));
  }

  /** What's known about one repository, with its images under the requested name; no tags if that's nothing. */
  metadata(name: ImageName): RepositoryMetadata {
    const key = printImageName(name);
    const metadata = this.#renamed.get(key) ?? this.#rename(name);
    this.#renamed.set(key, metadata);
    return metadata;
  }

  /**
   * The same data, but with the registries' own answers: which tags exist, and the images of the requested tags. A tag
   * that only the registry knows has no metadata.
   */
  correctedBy(answers: readonly RegistryAnswer[]): ImageRepositories {
    const corrected = answers.map(({ repository, tags, said }) => {
      const known = this.#byCanonicalName.get(keyOf(repository)) ?? nothingKnown;
      const others = [...known.images].filter(([tag]) => !tags.includes(tag));
      return [repository, { tags: said.tags, images: new Map([...others, ...said.images]) }] as const;
    });
    return new ImageRepositories([...this.#named, ...corrected]);
  }

  /** The newest image in a repository that a pattern allows, under the requested name. */
  newest(name: ImageName, pattern: TagPattern): NewestImage {
    const key = JSON.stringify([printImageName(name), pattern.text]);
    const newest = this.#newest.get(key) ?? newestImage(this.metadata(name), pattern);
    this.#newest.set(key, newest);
    return newest;
  }

  /** The stored data already uses canonical names. */
  #rename(name: ImageName): RepositoryMetadata {
    const known = this.#byCanonicalName.get(keyOf(name)) ?? nothingKnown;
    if (keyOf(name) === printImageName(name)) {
      return known;
    }
    const images = [...known.images].map(([tag, info]) => [tag, renamed(info, name)] as const);
    return { tags: known.tags, images: new Map(images) };
  }
}

/** A question to a registry: a repository, and the tags whose images to read. */
export interface RegistryQuestion {
  readonly repository: ImageName;
  readonly tags: readonly string[];
}

/** A registry's answer: all tags, and the requested images that exist. */
export interface RegistryAnswer extends RegistryQuestion {
  readonly said: RepositoryMetadata;
}

/** The names, each repository once. */
export function distinctRepositories(names: Iterable<ImageName>): readonly ImageName[] {
  return [...new Map([...names].map((name) => [keyOf(name), name])).values()];
}

/** What's needed to release one specific image: only that it exists. */
export function exactlyOneImage(ref: ImageRef): ImageRepositories {
  const images = new Map([[ref.tag, { ref: { ...ref, sha: "" }, digest: "", imageId: "", labels: {} }]]);
  return new ImageRepositories([[ref, { tags: [ref.tag], images }]]);
}

/** The newest image that a pattern allows; or that there's none, or that it can't be determined. */
export type NewestImage =
  | { readonly kind: "found"; readonly image: ImageInfo }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly reason: MissingImageMetadataError };

/** As in Flux v1, a single allowed tag whose image isn't known makes the result unknown. */
export function newestImage({ tags, images }: RepositoryMetadata, pattern: TagPattern): NewestImage {
  try {
    const allowed = imagesOfTags({ tags: tags.filter((tag) => allowsTag(pattern, tag)), images });
    const image = newestOf(allowed, pattern);
    return image === undefined ? { kind: "none" } : { kind: "found", image };
  } catch (error) {
    if (error instanceof MissingImageMetadataError) {
      return { kind: "unknown", reason: error };
    }
    throw error;
  }
}

/** As in Flux v1, the tag "latest", in any case, is allowed only by a pattern for exactly that tag. */
export function allowsTag(pattern: TagPattern, tag: string): boolean {
  return (tag.toLowerCase() !== "latest" || pattern.text === "glob:latest") && pattern.matches(tag);
}

function keyOf(name: ImageName): string {
  return printImageName(canonicalImageName(name));
}

function renamed(info: ImageInfo, { domain, image }: ImageName): ImageInfo {
  return { ...info, ref: { domain, image, tag: info.ref.tag, sha: "" } };
}
