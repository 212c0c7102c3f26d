/**
 * What a registry is asked about one repository of images. In flow a name and credentials, out flow tags and
 * images; how the registry is spoken to, and how slowly, is for those who implement it.
 */
import type { RegistryCredentials } from "../image/credentials.ts";
import type { ImageInfo } from "../image/info.ts";
import type { ImageName } from "../image/name.ts";

/** What a tag stands for. */
export type ImageEntry =
  | {
      readonly kind: "image";
      readonly info: ImageInfo;
      /** The digest that the tag itself has where it names an index, and `info.digest` is that of a child. */
      readonly indexDigest?: string;
    }
  /** No image for us, and why. */
  | { readonly kind: "excluded"; readonly reason: string };

/** An image as fetched, with the labels that could not be read and are left out. */
export interface FetchedImage {
  readonly entry: ImageEntry;
  readonly badLabels: readonly string[];
}

/** Asks about one repository, for the time of one pass over it. All methods reject with RegistryError. */
export interface RepositoryClient {
  /** All tags, in the order of the registry. */
  tags(signal: AbortSignal): Promise<readonly string[]>;
  /** What a tag stands for. */
  image(tag: string, signal: AbortSignal): Promise<FetchedImage>;
  /** The digest of a tag without anything else; undefined where the registry does not tell it so cheaply. */
  digest(tag: string, signal: AbortSignal): Promise<string | undefined>;
}

/** All registries. */
export interface RegistryClients {
  /** For a canonical name; nothing is asked yet. Throws RegistryError for a name that no registry can have. */
  clientFor(repository: ImageName, credentials: RegistryCredentials): RepositoryClient;
  /** A pass over the repository went well: its host may be asked a bit faster again. */
  succeed(repository: ImageName): void;
}
