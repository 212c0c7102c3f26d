/**
 * Takes the files of a repository and the scopes of the cluster's kinds, and returns the resources that the cluster
 * should contain, by ID, and the problems with the files. Based on Flux's pkg/cluster/kubernetes/resource and
 * manifests.go.
 */

import { Mutex, mapBounded, messageOf, quoteGo } from "@weir/base";
import { decodeSource } from "@weir/yaml/go-yaml";
import { assembleManifests, type ManifestSet } from "./assemble.ts";
import { collectManifests } from "./collect.ts";
import { type Decrypt, mayBeEncrypted } from "./encrypted.ts";
import { ManifestError } from "./errors.ts";
import { shownPath } from "./files/byte-path.ts";
import type { FoundFile } from "./files/find-files.ts";
import { LargeFileError, UnreadableFileError } from "./files/read-file.ts";
import type { FileReader, SourceFiles } from "./files/source-files.ts";
import { Manifest } from "./manifest.ts";
import { ManifestSum, ManifestSumError } from "./manifest-sum.ts";
import { type ParsedFile, parseInSteps } from "./parse.ts";
import { ParsedFileCache } from "./parsed-file-cache.ts";
import { confidentialTexts, hideDecrypted, openTexts, type Revealed } from "./revealed.ts";
import type { ScopePort } from "./scope.ts";
import { Turns } from "./turns.ts";

/** The number of files that are open at a time. */
const openFiles = 16;

/** Up to this size, in bytes, several files may be in memory at a time; of larger ones, only one. */
const smallFile = 1024 * 1024;

/** Where to load files from. */
export interface FileOptions {
  /** Leave out what's wrong and load the rest, instead of failing at the first problem. */
  readonly quarantine?: boolean;
  readonly files: SourceFiles;
  /** Files and folders relative to the root of the repository; all of it if empty. */
  readonly paths: readonly string[];
  readonly signal: AbortSignal;
  /** The result of an earlier load; files that haven't changed aren't parsed again. */
  readonly cache?: ParsedFileCache;
  /** The git blob IDs of files, where known, by path relative to the root. Known files aren't even read again. */
  readonly blobIds?: ReadonlyMap<string, string>;
  /** Set if files may be encrypted with sops. */
  readonly decrypt?: Decrypt;
  /** Receives the manifests of each file that isn't in the cache, as soon as it's read, whatever its other files say. */
  readonly onManifests?: ((manifests: readonly Manifest[]) => void) | undefined;
}

/** How to load files, and from where. */
export interface LoadOptions extends FileOptions {
  readonly scopes: ScopePort;
}

/** Resources, and data for the next load. */
export interface LoadResult extends ManifestSet {
  readonly cache: ParsedFileCache;
}

/** The parsed files of a repository, and data for the next load. */
export interface LoadedFiles {
  readonly files: readonly ParsedFile[];
  readonly cache: ParsedFileCache;
}

/**
 * Loads all resources of a repository. Without quarantine, rejects with the first ManifestError or
 * DuplicateManifestError. Always rejects if a path doesn't exist, or if the cluster doesn't respond.
 */
export async function loadManifests(options: LoadOptions): Promise<LoadResult> {
  const { scopes, signal, quarantine = false } = options;
  const { files, cache } = await loadFiles(options);
  const set = await assembleManifests({
    files,
    before: soundBefore(files, options),
    scopes,
    signal,
    quarantine,
  });
  return { ...set, cache };
}

/**
 * Reads and parses the files of a repository. If a path doesn't exist, rejects with the first problem of the files before
 * it, as Flux v1 goes path by path, or else with its own ManifestError.
 */
export async function loadFiles(options: FileOptions): Promise<LoadedFiles> {
  const { paths, signal, quarantine = false, cache = ParsedFileCache.empty } = options;
  const { files: found, failure } = await options.files.find(paths, signal);
  const loader = await FileLoader.open(found, options);
  const loaded = await mapBounded(found, openFiles, (file) => loader.load(file));
  const files = loaded.map(({ file }) => file);
  if (failure !== undefined) {
    const [first = failure] = quarantine ? [] : collectManifests(files).problems;
    throw first;
  }
  return { files, cache: cache.after(loaded) };
}

/** The earlier manifests of files that can't be read completely now, from when they last could. */
export function soundBefore(
  files: readonly ParsedFile[],
  { cache }: Pick<FileOptions, "cache">,
): ParsedFile["manifests"] {
  return files.flatMap(({ source, error }) =>
    error === undefined ? [] : (cache?.soundManifests(source) ?? []),
  );
}

interface LoadedFile {
  readonly blobId: string;
  readonly file: ParsedFile;
}

/** Loads the files of one repository, several at a time but only one large file, and parses them in turns. */
class FileLoader {
  readonly #reader: FileReader;
  readonly #options: FileOptions;
  readonly #cache: ParsedFileCache;
  readonly #largeFiles = new Mutex();
  readonly #sum = new ManifestSum();
  readonly #turns = new Turns();

  private constructor(reader: FileReader, options: FileOptions) {
    this.#reader = reader;
    this.#options = options;
    this.#cache = options.cache ?? ParsedFileCache.empty;
  }

  /** Prepares to read those files that aren't known to be the same. */
  static async open(found: readonly FoundFile[], options: FileOptions): Promise<FileLoader> {
    const { files, cache, signal } = options;
    const toRead = found.filter((file) => cache?.find(file.source, knownId(file, options)) === undefined);
    return new FileLoader(await files.open(toRead, signal), options);
  }

  /** A failure becomes the error of its file. The result isn't cached if it may change together with other files. */
  async load(found: FoundFile): Promise<LoadedFile> {
    try {
      return await this.#load(found);
    } catch (error) {
      if (error instanceof UnreadableFileError) {
        return { blobId: "", file: unreadableFile(found, error) };
      }
      if (error instanceof ManifestSumError) {
        return { blobId: "", file: { source: found.source, manifests: [], error } };
      }
      throw error;
    }
  }

  async #load(found: FoundFile): Promise<LoadedFile> {
    this.#options.signal.throwIfAborted();
    const known = knownId(found, this.#options);
    const same = known === undefined ? undefined : this.#unchanged(found.source, known);
    if (same !== undefined) {
      return same;
    }
    try {
      return await this.#read(found, smallFile);
    } catch (error) {
      if (error instanceof LargeFileError) {
        return await this.#largeFiles.run(() => this.#read(found), this.#options.signal);
      }
      throw error;
    }
  }

  async #read(found: FoundFile, most?: number): Promise<LoadedFile> {
    await this.#turns.end(this.#options.signal);
    const { content, blobId } = await this.#reader.read(found, most);
    return (
      this.#unchanged(found.source, blobId) ?? { blobId, file: await this.#parse(content, found.source) }
    );
  }

  #unchanged(source: string, blobId: string): LoadedFile | undefined {
    const file = this.#cache.find(source, blobId);
    if (file === undefined) {
      return undefined;
    }
    this.#sum.add(file.manifests, source);
    return { blobId, file };
  }

  async #parse(content: Buffer, source: string): Promise<ParsedFile> {
    const { decrypt, signal, onManifests } = this.#options;
    const isEncrypted = decrypt !== undefined && mayBeEncrypted(content);
    const clear = isEncrypted ? await decrypted(content, this.#options) : content;
    const file = await this.#turns.run(parseInSteps(decodeSource(clear), source, this.#sum), signal);
    const shown = clear === content ? file : asRevealed(file, { encrypted: content, clear });
    onManifests?.(shown.manifests);
    return shown;
  }
}

function unreadableFile({ path, source }: FoundFile, cause: UnreadableFileError): ParsedFile {
  const message = `unable to read file at ${quoteGo(shownPath(path))}: ${cause.message}`;
  return { source, manifests: [], error: new ManifestError(message, source, { cause }) };
}

async function decrypted(content: Buffer, { decrypt, signal }: FileOptions): Promise<Uint8Array> {
  try {
    return (await decrypt?.(content, signal)) ?? content;
  } catch (cause) {
    signal.throwIfAborted();
    throw new UnreadableFileError(`failed to decrypt file: ${messageOf(cause)}`, { cause });
  }
}

/** Marks what was encrypted, so that nobody shows it. Messages about a document quote parts of it, too. */
function asRevealed({ source, manifests, error }: ParsedFile, revealed: Revealed): ParsedFile {
  const open = openTexts(revealed.encrypted);
  return {
    source,
    manifests: manifests.map(
      ({ content }) => new Manifest({ ...content, confidential: confidentialTexts(content, open) }),
    ),
    error:
      error && new ManifestError(hideDecrypted(error.message, revealed), error.source, { line: error.line }),
  };
}

/** The blob of a link contains its target, not the content of the linked file. */
function knownId({ isLink, source }: FoundFile, { blobIds }: FileOptions): string | undefined {
  return isLink ? undefined : blobIds?.get(source);
}
