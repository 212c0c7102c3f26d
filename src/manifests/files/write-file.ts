import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isInside } from "./inside.ts";
import { isThere } from "./is-there.ts";

/** A file is not to be written, because of where it is or what it is. */
export class UnwritableFileError extends Error {
  override readonly name = "UnwritableFileError";
  readonly path: string;

  constructor(path: string, reason: string) {
    super(`unable to write file at ${JSON.stringify(path)}: ${reason}`);
    this.path = path;
  }
}

/**
 * Puts new content in the place of a file of a checkout whose root has no links in its path, as a whole or not at
 * all, and keeps its mode. Where the path is a link to another file of the checkout, that file gets the content.
 * Rejects with UnwritableFileError where the file is outside, or is no regular file.
 */
export async function replaceFileInside(root: string, path: string, content: string): Promise<void> {
  const place = await realpath(path);
  if (!isInside(place, root)) {
    throw new UnwritableFileError(path, "it leads out of the repository");
  }
  const found = await lstat(place);
  if (!found.isFile()) {
    throw new UnwritableFileError(path, "it is no regular file");
  }
  await writeWhole(place, content, found.mode & 0o7777);
}

/** What a file is to hold. */
export interface NewFile {
  readonly content: string;
  /** Of a file that is not there yet. */
  readonly mode: number;
}

/** The same, where there need not be a file yet; a new one gets `mode`. Its folder has to be there. */
export async function putFileInside(root: string, path: string, { content, mode }: NewFile): Promise<void> {
  if (await isThere(path)) {
    await replaceFileInside(root, path, content);
    return;
  }
  const folder = await realpath(dirname(path));
  if (!isInside(folder, root)) {
    throw new UnwritableFileError(path, "it leads out of the repository");
  }
  await writeWhole(join(folder, basename(path)), content, mode);
}

async function writeWhole(place: string, content: string, mode: number): Promise<void> {
  const draft = join(dirname(place), `.${basename(place)}.${randomUUID()}`);
  try {
    await writeNew(draft, content, mode);
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Fails where there is already something at the path. */
async function writeNew(path: string, content: string, mode: number): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  await using file = await open(path, flags, 0o600);
  await file.writeFile(content);
  await file.chmod(mode);
}
