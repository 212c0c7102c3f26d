import {
  canonicalImageName,
  type ImageInfo,
  type ImageName,
  type ImageRef,
  type ImageRegistry,
  imageNotCachedError,
  parseImageRef,
  printImageName,
  type RepositoryMetadata,
} from "@weir/flux";
import { metadataOf } from "../../dev/testing/src/update-world.ts";

/** A registry of which a test says what is known; it can say more at any time. */
export class KnownImages implements ImageRegistry {
  readonly #repositories = new Map<string, RepositoryMetadata>();

  /** Repositories by name: tags and when their images were made; null for a tag of whose image nothing is known. */
  constructor(repositories: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {}) {
    for (const [name, tags] of Object.entries(repositories)) {
      this.know(name, tags);
    }
  }

  /** Replaces what is known of a repository. */
  know(name: string, tags: Readonly<Record<string, string | null>>): void {
    const metadata = metadataOf(name, tags);
    this.#repositories.set(keyOf(parseImageRef(name)), metadata);
  }

  repositoryMetadata(name: ImageName): Promise<RepositoryMetadata> {
    const known = this.#repositories.get(keyOf(name));
    return known ? Promise.resolve(known) : Promise.reject(imageNotCachedError());
  }

  /** The registry says what is known. */
  async confirm(name: ImageName, asked: readonly string[]): Promise<RepositoryMetadata> {
    const { tags, images } = await this.repositoryMetadata(name);
    return { tags, images: new Map([...images].filter(([tag]) => asked.includes(tag))) };
  }

  image(ref: ImageRef): Promise<ImageInfo> {
    const known = this.#repositories.get(keyOf(ref))?.images.get(ref.tag);
    return known ? Promise.resolve(known) : Promise.reject(imageNotCachedError());
  }
}

function keyOf(name: ImageName): string {
  return printImageName(canonicalImageName(name));
}
