import { lstat, mkdir, realpath, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { isMissing } from "@weir/base";
import { readFileInside } from "./read-file.ts";
import { putFileInside, UnwritableFileError } from "./write-file.ts";

/** A file of a checkout to write or to delete. */
export interface FileEdit {
  /** Relative to the root of the checkout. */
  readonly path: string;
  /** What it must contain now; undefined if it mustn't exist. */
  readonly before: string | undefined;
  /** What it's to contain; undefined to delete it. */
  readonly after: string | undefined;
  /** The mode of a new file. */
  readonly mode: number;
}

/**
 * Writes files of a checkout, exactly these: no link is followed. Rejects with UnwritableFileError if a file isn't what
 * it's said to be, for example because it was decrypted; then the others may have been written.
 */
export async function putFiles(root: string, edits: readonly FileEdit[]): Promise<void> {
  const realRoot = await realpath(root);
  for (const edit of edits) {
    await putOne(realRoot, edit);
  }
}

/** The content of files of a checkout; "" for one that doesn't exist. Rejects with UnwritableFileError for a link. */
export async function readFiles(
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const realRoot = await realpath(root);
  const read = async (path: string) =>
    [path, (await contentOf(realRoot, join(realRoot, path))) ?? ""] as const;
  return new Map(await Promise.all(paths.map(read)));
}

async function putOne(root: string, { path, before, after, mode }: FileEdit): Promise<void> {
  const file = join(root, path);
  await checkFolders(root, path, after !== undefined);
  if ((await contentOf(root, file)) !== before) {
    throw new UnwritableFileError(path, "it isn't checked out as it is in git");
  }
  if (after === undefined) {
    await rm(file);
  } else {
    await putFileInside(root, file, { content: after, mode });
  }
}

/** Creates missing folders if asked to. */
async function checkFolders(root: string, path: string, create: boolean): Promise<void> {
  let folder = root;
  for (const name of dirname(path).split(sep)) {
    folder = join(folder, name);
    const found = await lstat(folder).catch(missing);
    if (found === undefined && create) {
      await mkdir(folder);
    } else if (found?.isDirectory() !== true) {
      throw new UnwritableFileError(path, "its folder isn't a folder in git");
    }
  }
}

async function contentOf(root: string, file: string): Promise<string | undefined> {
  const found = await lstat(file).catch(missing);
  if (found === undefined) {
    return undefined;
  }
  if (!found.isFile()) {
    throw new UnwritableFileError(file, "it isn't a regular file");
  }
  return (await readFileInside(root, file)).toString("utf8");
}

function missing(error: unknown): undefined {
  if (!isMissing(error)) {
    throw error;
  }
  return undefined;
}
