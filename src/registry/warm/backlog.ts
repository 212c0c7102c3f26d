/** Which repositories to scan, and in which order. Does no I/O, but keeps the list. */
import {
  canonicalImageName,
  type ImageName,
  InvalidImageRefError,
  mergeCredentials,
  parseImageRef,
  printImageName,
  type RegistryCredentials,
} from "@weir/flux";

/** A repository in use. */
export interface WarmItem {
  /** As one of its users spells it. */
  readonly name: ImageName;
  /** Its canonical name. */
  readonly repository: ImageName;
  readonly credentials: RegistryCredentials;
}

/**
 * The repositories of image names, each one once, with the credentials for all its spellings. Invalid names are left
 * out.
 */
export function itemsOf(images: ReadonlyMap<string, RegistryCredentials>): ReadonlyMap<string, WarmItem> {
  const items = new Map<string, WarmItem>();
  for (const [text, credentials] of images) {
    const name = parseName(text);
    if (name !== undefined) {
      const repository = canonicalImageName(name);
      const key = printImageName(repository);
      const known = items.get(key);
      items.set(
        key,
        known === undefined
          ? { name, repository, credentials }
          : { ...known, credentials: mergeCredentials(known.credentials, credentials) },
      );
    }
  }
  return items;
}

/** A queue of repositories, by canonical name; each one is in it at most once. */
export class Backlog {
  #keys: readonly string[] = [];

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  /** Repositories that were never scanned come first, then the one that has waited longest. */
  fill(keys: Iterable<string>, warmedAt: ReadonlyMap<string, number>): void {
    const age = (key: string): number => warmedAt.get(key) ?? -1;
    this.#keys = [...keys].sort((a, b) => age(a) - age(b));
  }

  /** Moves a repository to the front. */
  jump(key: string): void {
    this.#keys = [key, ...this.#keys.filter((each) => each !== key)];
  }

  /** Removes and returns the first repository that can be scanned now. */
  take(mayStart: (key: string) => boolean): string | undefined {
    const found = this.#keys.find(mayStart);
    if (found !== undefined) {
      this.#keys = this.#keys.filter((each) => each !== found);
    }
    return found;
  }
}

function parseName(text: string): ImageName | undefined {
  try {
    const { domain, image } = parseImageRef(text);
    return { domain, image };
  } catch (error) {
    if (error instanceof InvalidImageRefError) {
      return undefined;
    }
    throw error;
  }
}
