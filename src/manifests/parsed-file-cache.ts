import type { Manifest } from "./manifest.ts";
import type { ParsedFile } from "./parse.ts";

/** A parsed file, and the content that it had then. */
interface Entry {
  /** The git blob ID of the content. */
  readonly blobId: string;
  readonly file: ParsedFile;
  /** The manifests from when the file could last be read completely. */
  readonly sound: readonly Manifest[];
}

/**
 * Files that were parsed earlier, so that only changed ones are parsed again. Immutable: each load creates a new one
 * from the files that it found.
 */
export class ParsedFileCache {
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(entries: ReadonlyMap<string, Entry>) {
    this.#entries = entries;
  }

  /** A cache without any files. */
  static readonly empty = new ParsedFileCache(new Map());

  /** The file with this path, if it still has this content. */
  find(source: string, blobId: string | undefined): ParsedFile | undefined {
    const entry = this.#entries.get(source);
    return entry !== undefined && entry.blobId === blobId ? entry.file : undefined;
  }

  /** The manifests of a file from when it could last be read completely. */
  soundManifests(source: string): readonly Manifest[] {
    return this.#entries.get(source)?.sound ?? [];
  }

  /** The cache after a load that found these files. */
  after(files: readonly { readonly blobId: string; readonly file: ParsedFile }[]): ParsedFileCache {
    const entries = files.map(({ blobId, file }): [string, Entry] => [
      file.source,
      {
        blobId,
        file,
        sound: file.error === undefined ? file.manifests : this.soundManifests(file.source),
      },
    ]);
    return new ParsedFileCache(new Map(entries));
  }
}
