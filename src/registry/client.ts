/**
 * What can be read about one repository of images. Takes a name and credentials, and returns tags and images.
 * Implementations decide how to talk to the registry, and how fast.
 */
import type { ImageInfo, ImageName, RegistryCredentials } from "@weir/flux";

/** The result of reading a tag. */
export type ImageEntry =
  | {
      readonly kind: "image";
      readonly info: ImageInfo;
      /** The digest of the tag itself if it refers to an index. `info.digest` is then the digest of the child. */
      readonly indexDigest?: string;
    }
  /** Not an image that we can use, and why. */
  | { readonly kind: "excluded"; readonly reason: string };

/** A fetched image, and the labels that couldn't be parsed and are left out. */
export interface FetchedImage {
  readonly entry: ImageEntry;
  readonly badLabels: readonly string[];
}

/** Reads from one repository during one pass. All methods reject with RegistryError. */
export interface RepositoryClient {
  /** All tags, in the registry's order. */
  tags(signal: AbortSignal): Promise<readonly string[]>;
  /** Reads the image that a tag refers to. */
  image(tag: string, signal: AbortSignal): Promise<FetchedImage>;
  /** The digest of a tag, without fetching its manifest; undefined if the registry doesn't support that. */
  digest(tag: string, signal: AbortSignal): Promise<string | undefined>;
}

/** All registries. */
export interface RegistryClients {
  /**
   * A client for the repository with this canonical name; sends nothing yet. Throws RegistryError for a name that no
   * registry can have.
   */
  clientFor(repository: ImageName, credentials: RegistryCredentials): RepositoryClient;
  /** A pass over the repository succeeded, so its host can be queried slightly faster again. */
  succeed(repository: ImageName): void;
}
