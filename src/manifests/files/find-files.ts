import type { Dirent } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { compareGoStrings, describeFileError, quoteGo } from "@weir/base";
import { isInside } from "@weir/base/node";
import { ManifestError } from "../errors.ts";
import { type BytePath, childOf, shownPath } from "./byte-path.ts";
import { isChart, standsInChart } from "./charts.ts";

/** A file that may contain manifests. */
export interface FoundFile {
  /** An absolute path. */
  readonly path: BytePath;
  /** Relative to the root of the repository. */
  readonly source: string;
  readonly isLink: boolean;
}

/** The files of a repository that may contain manifests. */
export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /**
   * Set if a path doesn't exist, can't be read, or leads out of the root. `files` then contains the files of the paths
   * before it.
   */
  readonly failure: ManifestError | undefined;
}

/**
 * Finds the files below the paths of a repository that may contain manifests, in the order in which Flux v1 reads them:
 * path by path, sorted by name, including hidden ones. Leaves out folders that are Helm charts, and doesn't follow
 * links to folders. A file below two of the paths is listed twice. Throws ManifestError if the root doesn't exist.
 */
export async function findManifestFiles(
  root: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<FoundFiles> {
  const files: FoundFile[] = [];
  const realRoot = await realRootOf(root);
  try {
    for (const path of paths.length === 0 ? ["."] : paths) {
      // As when Go joins paths, a final slash doesn't matter.
      const start = resolve(join(root, path));
      await checkStart(start, realRoot);
      if (!(await standsInChart(root, start))) {
        await addFrom(start, root, files, signal);
      }
    }
    return { files, failure: undefined };
  } catch (error) {
    if (error instanceof ManifestError) {
      return { files, failure: error };
    }
    throw error;
  }
}

async function realRootOf(root: string): Promise<string> {
  try {
    return await realpath(root);
  } catch (error) {
    throw new ManifestError(`git path ${quoteGo(root)} not found`, "", { cause: error });
  }
}

async function checkStart(start: string, realRoot: string): Promise<void> {
  const fail = (reason: string, cause?: unknown): never => {
    throw new ManifestError(`unable to read root path ${quoteGo(start)}: ${reason}`, "", { cause });
  };
  try {
    await stat(start);
  } catch (error) {
    fail(describeFileError("stat", start, error), error);
  }
  if (!isInside(await realpath(start), realRoot)) {
    fail("it leads out of the repository");
  }
}

async function addFrom(start: string, root: string, files: FoundFile[], signal: AbortSignal): Promise<void> {
  const found = await lstat(start);
  if (found.isDirectory()) {
    await addFolder(start, root, files, signal);
  } else if (isManifestName(start)) {
    files.push({ path: start, source: relative(root, start), isLink: found.isSymbolicLink() });
  }
}

async function addFolder(
  folder: BytePath,
  root: string,
  files: FoundFile[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const entries = await entriesOf(folder);
  if (await isChart(folder, entries)) {
    return;
  }
  for (const entry of entries) {
    const path = childOf(folder, entry.name);
    if (entry.isDirectory()) {
      // Git's own folder isn't part of the repository's content.
      if (shownPath(entry.name) !== ".git") {
        await addFolder(path, root, files, signal);
      }
    } else if (isManifestName(shownPath(entry.name))) {
      files.push({ path, source: relative(root, shownPath(path)), isLink: entry.isSymbolicLink() });
    }
  }
}

async function entriesOf(folder: BytePath): Promise<readonly Dirent<BytePath>[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.some(({ name }) => name.includes("\uFFFD"))
      ? await rawEntriesOf(folder)
      : entries.sort((a, b) => compareGoStrings(a.name, b.name));
  } catch (error) {
    const shown = shownPath(folder);
    const reason = describeFileError("open", shown, error);
    throw new ManifestError(`walking file ${quoteGo(shown)} for yaml docs: ${reason}`, "", { cause: error });
  }
}

/** By bytes, because the text of a name that isn't valid UTF-8 stands for another file, or for none. */
async function rawEntriesOf(folder: BytePath): Promise<readonly Dirent<Buffer>[]> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: "buffer" });
  return entries.sort((a, b) => Buffer.compare(a.name, b.name));
}

/** True for the name of a file that may contain manifests. */
export function isManifestName(name: string): boolean {
  return name.endsWith(".yaml") || name.endsWith(".yml");
}
