import type { Manifest } from "./manifest.ts";
import type { ParsedFile } from "./parse.ts";

/** A file as it was parsed, and the content that it had then. */
interface Entry {
  /** The git blob ID of the content. */
  readonly blobId: string;
  readonly file: ParsedFile;
  /** What the file held when it could last be read to its end. */
  readonly sound: readonly Manifest[];
}

/**
 * Files that were parsed before, so that only changed ones are parsed again. Never changed: each load makes a new
 * one of what it met.
 */
export class ParsedFileCache {
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(entries: ReadonlyMap<string, Entry>) {
    this.#entries = entries;
  }

  /** A cache that knows no file. */
  static readonly empty = new ParsedFileCache(new Map());

  /** The file of that path, if it has that content. */
  find(source: string, blobId: string | undefined): ParsedFile | undefined {
    const entry = this.#entries.get(source);
    return entry !== undefined && entry.blobId === blobId ? entry.file : undefined;
  }

  /** What the file of that path held when it could last be read to its end. */
  soundManifests(source: string): readonly Manifest[] {
    return this.#entries.get(source)?.sound ?? [];
  }

  /** The cache after a load that met these files. */
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
