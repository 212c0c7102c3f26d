/**
 * Files in, resources by ID out. What flows in are the files of a checkout and the scopes of the cluster's kinds;
 * what flows out are the resources that the cluster should hold, and what is wrong with the files. After Flux's
 * pkg/cluster/kubernetes/resource and manifests.go.
 */

import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { Mutex, mapBounded, messageOf, quoteGo } from "@weir/base";
import { decodeSource } from "@weir/yaml/go-yaml";
import { assembleManifests, type ManifestSet } from "./assemble.ts";
import { collectManifests } from "./collect.ts";
import { ManifestError } from "./errors.ts";
import { shownPath } from "./files/byte-path.ts";
import { type FoundFile, findManifestFiles } from "./files/find-files.ts";
import { LargeFileError, readFileInside, UnreadableFileError } from "./files/read-file.ts";
import { ManifestSum, ManifestSumError } from "./manifest-sum.ts";
import { type ParsedFile, parseInSteps } from "./parse.ts";
import { ParsedFileCache } from "./parsed-file-cache.ts";
import type { ScopePort } from "./scope.ts";
import { Turns } from "./turns.ts";

/** Files that are open at a time. */
const openFiles = 16;

/** Bytes of a file that may be in memory together with others; of larger ones there is only one. */
const smallFile = 1024 * 1024;

/** Decrypts the content of a file; rejects with the reason where it cannot. */
export type Decrypt = (content: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

/** Where files are loaded from. */
export interface FileOptions {
  /** Leave out what is wrong and load the rest, instead of failing at the first problem. */
  readonly quarantine?: boolean;
  /** The root of the checkout, absolute. */
  readonly root: string;
  /** Files and folders in it, relative to the root; all of it where there are none. */
  readonly paths: readonly string[];
  readonly signal: AbortSignal;
  /** What an earlier load left: its files are not parsed again where they have not changed. */
  readonly cache?: ParsedFileCache;
  /** By path relative to the root: the git blob IDs of files, where known. Such files are not even read again. */
  readonly blobIds?: ReadonlyMap<string, string>;
  /** Set where files may be encrypted with sops. */
  readonly decrypt?: Decrypt;
}

/** How files are loaded, and from where. */
export interface LoadOptions extends FileOptions {
  readonly scopes: ScopePort;
}

/** Resources, and what to give to the next load. */
export interface LoadResult extends ManifestSet {
  readonly cache: ParsedFileCache;
}

/** The files of a checkout, parsed, and what to give to the next load. */
export interface LoadedFiles {
  readonly files: readonly ParsedFile[];
  readonly cache: ParsedFileCache;
}

/**
 * Loads all resources of a checkout. Rejects with the first ManifestError or DuplicateManifestError where not in
 * quarantine; in any case where a path is not there, or the cluster does not answer.
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
 * Reads and parses the files of a checkout. Where a path is not there, it rejects with the first problem of the files
 * before it, as Flux v1 goes path by path, or else with a ManifestError of its own.
 */
export async function loadFiles(options: FileOptions): Promise<LoadedFiles> {
  const { root, paths, signal, quarantine = false, cache = ParsedFileCache.empty } = options;
  const { files: found, failure } = await findManifestFiles(root, paths, signal);
  const realRoot = await realpath(root);
  const loader = new FileLoader(realRoot, options);
  const loaded = await mapBounded(found, openFiles, (file) => loader.load(file));
  const files = loaded.map(({ file }) => file);
  if (failure !== undefined) {
    const [first = failure] = quarantine ? [] : collectManifests(files).problems;
    throw first;
  }
  return { files, cache: cache.after(loaded) };
}

/** What the files that could not be read to their end held when they last could. */
export function soundBefore(files: readonly ParsedFile[], { cache }: FileOptions): ParsedFile["manifests"] {
  return files.flatMap(({ source, error }) =>
    error === undefined ? [] : (cache?.soundManifests(source) ?? []),
  );
}

interface LoadedFile {
  readonly blobId: string;
  readonly file: ParsedFile;
}

/** Loads files of one checkout, several at a time, of which only one is large, and parses them in turns. */
class FileLoader {
  readonly #root: string;
  readonly #options: FileOptions;
  readonly #cache: ParsedFileCache;
  readonly #largeFiles = new Mutex();
  readonly #sum = new ManifestSum();
  readonly #turns = new Turns();

  constructor(root: string, options: FileOptions) {
    this.#root = root;
    this.#options = options;
    this.#cache = options.cache ?? ParsedFileCache.empty;
  }

  /** What is wrong with a file is its error, and what may be otherwise with other files beside it is not kept. */
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
    // The blob of a link is its target, not what is read through it.
    const known = found.isLink ? undefined : this.#options.blobIds?.get(found.source);
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
    const content = await readFileInside(this.#root, found.path, most);
    const blobId = blobIdOf(content);
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
    const { decrypt, signal } = this.#options;
    const isEncrypted = decrypt !== undefined && content.includes("sops:");
    const clear = isEncrypted ? await decrypted(content, this.#options) : content;
    return await this.#turns.run(parseInSteps(decodeSource(clear), source, this.#sum), signal);
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

/** What git calls content of a file. */
function blobIdOf(content: Buffer): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}
