/**
 * Files in, resources by ID out. What flows in are the files of a checkout and the scopes of the cluster's kinds;
 * what flows out are the resources that the cluster should hold, and what is wrong with the files. After Flux's
 * pkg/cluster/kubernetes/resource and manifests.go.
 */

import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { messageOf } from "../base/errors.ts";
import { quoteGo } from "../base/go-quote.ts";
import { assembleManifests, type ManifestSet } from "./assemble.ts";
import { mapBounded } from "./bounded.ts";
import { collectManifests } from "./collect.ts";
import { ManifestError } from "./errors.ts";
import { shownPath } from "./files/byte-path.ts";
import { type FoundFile, findManifestFiles } from "./files/find-files.ts";
import { readFileInside, UnreadableFileError } from "./files/read-file.ts";
import { type ParsedFile, parseManifests } from "./parse.ts";
import { ParsedFileCache } from "./parsed-file-cache.ts";
import type { ScopePort } from "./scope.ts";
import { decodeSource } from "./yaml/source-text.ts";

/** Files that are open at a time. */
const openFiles = 16;

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
  const loaded = await mapBounded(found, openFiles, (file) => loadFile(file, realRoot, options));
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

async function loadFile(found: FoundFile, realRoot: string, options: FileOptions): Promise<LoadedFile> {
  const { cache = ParsedFileCache.empty, signal } = options;
  signal.throwIfAborted();
  // The blob of a link is its target, not what is read through it.
  const known = found.isLink ? undefined : options.blobIds?.get(found.source);
  const same = cache.find(found.source, known);
  if (same !== undefined && known !== undefined) {
    return { blobId: known, file: same };
  }
  try {
    const content = await readFileInside(realRoot, found.path);
    const blobId = blobIdOf(content);
    const unchanged = cache.find(found.source, blobId);
    return { blobId, file: unchanged ?? (await parseContent(content, found.source, options)) };
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      return { blobId: "", file: unreadableFile(found, error) };
    }
    throw error;
  }
}

function unreadableFile({ path, source }: FoundFile, cause: UnreadableFileError): ParsedFile {
  const message = `unable to read file at ${quoteGo(shownPath(path))}: ${cause.message}`;
  return { source, manifests: [], error: new ManifestError(message, source, { cause }) };
}

async function parseContent(content: Buffer, source: string, options: FileOptions): Promise<ParsedFile> {
  const isEncrypted = options.decrypt !== undefined && content.includes("sops:");
  const clear = isEncrypted ? await decrypted(content, options) : content;
  return parseManifests(decodeSource(clear), source);
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
