import type { FoundFile, FoundFiles } from "./find-files.ts";

/** The content of a file, and git's ID for it. */
export interface FileContent {
  readonly content: Buffer;
  readonly blobId: string;
}

/** Reads files that were found before. */
export interface FileReader {
  /**
   * Rejects with UnreadableFileError if the file can't be read, and with LargeFileError if it has more than `most`
   * bytes, or than any file may have.
   */
  read(file: FoundFile, most?: number): Promise<FileContent>;
}

/** The files of a repository at one moment, which may contain manifests: in a folder, or in git. */
export interface SourceFiles {
  /** Finds the files below some paths, in the order in which Flux v1 reads them. */
  find(paths: readonly string[], signal: AbortSignal): Promise<FoundFiles>;
  /** Prepares to read these files; they should be read in the same order. */
  open(files: readonly FoundFile[], signal: AbortSignal): Promise<FileReader>;
}
