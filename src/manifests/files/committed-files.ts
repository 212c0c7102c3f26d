import { invariant, manifestLimits } from "@weir/base";
import { findCommittedFiles, type TreeFile } from "./find-committed.ts";
import type { FoundFile } from "./find-files.ts";
import { LargeFileError, UnreadableFileError } from "./read-file.ts";
import type { FileContent, FileReader, SourceFiles } from "./source-files.ts";

/** A file of a commit. */
export interface SizedFile extends TreeFile {
  /** Git's ID for its content. */
  readonly id: string;
  /** In bytes. */
  readonly size: number;
}

/** Reads the content of files from git, by its ID. What git doesn't have is missing in the result. */
export type ReadContents = (
  ids: readonly string[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, Uint8Array>>;

/** What a commit has below some paths. */
export interface CommittedFilesOptions {
  /** All files of the commit. */
  readonly files: readonly SizedFile[];
  /** Those that will be asked for. */
  readonly paths: readonly string[];
  readonly contents: ReadContents;
}

/** This many bytes are read from git at a time, except for larger files. */
const batchSize = 4 * 1024 * 1024;

/** A file of more bytes is read by itself, and only when it's needed. */
const largeFile = 1024 * 1024;

/** Files of a commit, read from git without writing them to a folder first, which takes up to a second for 1,000 files. */
export interface CommittedFiles extends SourceFiles {
  /** The paths of the files that may contain manifests. */
  readonly found: readonly string[];
}

/** Undefined if it takes a checkout to tell which files there are, or what they contain. */
export function committedFiles({
  files,
  paths,
  contents,
}: CommittedFilesOptions): CommittedFiles | undefined {
  const found = findCommittedFiles(files, paths);
  if (found === undefined) {
    return undefined;
  }
  const sources = new Set(found.map(({ source }) => source));
  const byPath = new Map(files.flatMap((file) => (sources.has(file.path) ? [[file.path, file]] : [])));
  return {
    found: [...sources],
    find: () => Promise.resolve({ files: found, failure: undefined }),
    open(toRead, signal) {
      const committed = toRead.flatMap(({ source }) => byPath.get(source) ?? []);
      return Promise.resolve(new BatchReader(committed, (ids) => contents(ids, signal)));
    },
  };
}

/** Some files that are read together. */
interface Batch {
  readonly ids: readonly string[];
  readonly isLarge: boolean;
  /** How often one of its files will still be asked for. */
  waiting: number;
  content?: Promise<ReadonlyMap<string, Uint8Array>> | undefined;
}

/** Reads files in batches, the next one while somebody works on the one before it. */
class BatchReader implements FileReader {
  readonly #read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;
  readonly #files: ReadonlyMap<string, SizedFile>;
  readonly #batches: readonly Batch[];
  readonly #batchOf = new Map<string, number>();

  constructor(
    files: readonly SizedFile[],
    read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>,
  ) {
    this.#read = read;
    this.#files = new Map(files.map((file) => [file.path, file]));
    const groups = groupBySize(files);
    this.#batches = groups.map((group) => ({
      ids: [...new Set(group.map(({ id }) => id))],
      isLarge: group.some(isLarge),
      waiting: group.length,
    }));
    groups.forEach((group, index) => group.forEach(({ path }) => this.#batchOf.set(path, index)));
  }

  async read({ source }: FoundFile, most: number = manifestLimits.file): Promise<FileContent> {
    const file = this.#files.get(source);
    const index = this.#batchOf.get(source);
    invariant(
      file !== undefined && index !== undefined,
      "only files that the reader was opened for are read",
    );
    if (file.size > most) {
      throw new LargeFileError(file.size, most);
    }
    const content = (await this.#batch(index)).get(file.id);
    if (content === undefined) {
      throw new UnreadableFileError("git doesn't have its content");
    }
    return { content: Buffer.from(content.buffer, content.byteOffset, content.length), blobId: file.id };
  }

  /** Forgets the content once each of its files was asked for. */
  #batch(index: number): Promise<ReadonlyMap<string, Uint8Array>> {
    const content = this.#fetch(index);
    const batch = this.#batches[index];
    if (batch !== undefined) {
      batch.waiting -= 1;
      batch.content = batch.waiting > 0 ? content : undefined;
    }
    const next = this.#batches[index + 1];
    if (next?.isLarge === false && next.waiting > 0) {
      // Whoever reads this batch gets the error.
      this.#fetch(index + 1).catch(() => undefined);
    }
    return content;
  }

  #fetch(index: number): Promise<ReadonlyMap<string, Uint8Array>> {
    const batch = this.#batches[index];
    invariant(batch, "there's a batch for each file");
    batch.content ??= this.#read(batch.ids);
    return batch.content;
  }
}

function isLarge({ size }: SizedFile): boolean {
  return size > largeFile;
}

/** The files in their order, as groups of limited size; a large file is a group of its own. */
function groupBySize(files: readonly SizedFile[]): readonly (readonly SizedFile[])[] {
  const groups: SizedFile[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const file of files) {
    if (isLarge(file) || size + file.size > batchSize) {
      groups.push([file]);
      size = isLarge(file) ? Number.POSITIVE_INFINITY : file.size;
    } else {
      groups.at(-1)?.push(file);
      size += file.size;
    }
  }
  return groups;
}
