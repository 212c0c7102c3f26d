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
 * What is known of repositories of images, whatever their names are spelled like. Many containers share a repository
 * and a pattern: what is worked out for one is kept for the others.
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

  /** What is known of one, with its images under the name as it was asked for; no tags where that is nothing. */
  metadata(name: ImageName): RepositoryMetadata {
    const key = printImageName(name);
    const metadata = this.#renamed.get(key) ?? this.#rename(name);
    this.#renamed.set(key, metadata);
    return metadata;
  }

  /**
   * The same but for what registries say themselves: which tags there are, and the images of the tags that they were
   * asked about. Of a tag that only the registry knows, nothing is known.
   */
  correctedBy(answers: readonly RegistryAnswer[]): ImageRepositories {
    const corrected = answers.map(({ repository, tags, said }) => {
      const known = this.#byCanonicalName.get(keyOf(repository)) ?? nothingKnown;
      const others = [...known.images].filter(([tag]) => !tags.includes(tag));
      return [repository, { tags: said.tags, images: new Map([...others, ...said.images]) }] as const;
    });
    return new ImageRepositories([...this.#named, ...corrected]);
  }

  /** The newest image of one that a pattern allows, under the name as it was asked for. */
  newest(name: ImageName, pattern: TagPattern): NewestImage {
    const key = JSON.stringify([printImageName(name), pattern.text]);
    const newest = this.#newest.get(key) ?? newestImage(this.metadata(name), pattern);
    this.#newest.set(key, newest);
    return newest;
  }

  /** What is known has canonical names already. */
  #rename(name: ImageName): RepositoryMetadata {
    const known = this.#byCanonicalName.get(keyOf(name)) ?? nothingKnown;
    if (keyOf(name) === printImageName(name)) {
      return known;
    }
    const images = [...known.images].map(([tag, info]) => [tag, renamed(info, name)] as const);
    return { tags: known.tags, images: new Map(images) };
  }
}

/** What is asked of a registry: about a repository, and the images of some of its tags. */
export interface RegistryQuestion {
  readonly repository: ImageName;
  readonly tags: readonly string[];
}

/** What a registry says: all tags, and those of the images asked about that there are. */
export interface RegistryAnswer extends RegistryQuestion {
  readonly said: RepositoryMetadata;
}

/** The names, each repository once. */
export function distinctRepositories(names: Iterable<ImageName>): readonly ImageName[] {
  return [...new Map([...names].map((name) => [keyOf(name), name])).values()];
}

/** All that is to be known for the release of one image: that there is it. */
export function exactlyOneImage(ref: ImageRef): ImageRepositories {
  const images = new Map([[ref.tag, { ref: { ...ref, sha: "" }, digest: "", imageId: "", labels: {} }]]);
  return new ImageRepositories([[ref, { tags: [ref.tag], images }]]);
}

/** The newest image that a pattern allows; or that there is none, or that it cannot be told. */
export type NewestImage =
  | { readonly kind: "found"; readonly image: ImageInfo }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly reason: MissingImageMetadataError };

/** As Flux v1: one tag that the pattern allows and of whose image nothing is known makes the answer unknown. */
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

/** As Flux v1: the tag "latest", in any case, is only for who asks for just that. */
export function allowsTag(pattern: TagPattern, tag: string): boolean {
  return (tag.toLowerCase() !== "latest" || pattern.text === "glob:latest") && pattern.matches(tag);
}

function keyOf(name: ImageName): string {
  return printImageName(canonicalImageName(name));
}

function renamed(info: ImageInfo, { domain, image }: ImageName): ImageInfo {
  return { ...info, ref: { domain, image, tag: info.ref.tag, sha: "" } };
}
