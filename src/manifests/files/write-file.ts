import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isInside } from "@weir/base/node";
import { isThere } from "./is-there.ts";

/**
 * Replaces the content of a file in a checkout whose root path contains no links, completely or not at all, and keeps
 * its mode. If the path is a link to another file in the checkout, that file is written. Rejects with
 * UnwritableFileError if the file is outside the checkout or isn't a regular file.
 */
export async function replaceFileInside(root: string, path: string, content: string): Promise<void> {
  const place = await realpath(path);
  if (!isInside(place, root)) {
    throw new UnwritableFileError(path, "it leads out of the repository");
  }
  const found = await lstat(place);
  if (!found.isFile()) {
    throw new UnwritableFileError(path, "it isn't a regular file");
  }
  await writeWhole(place, content, found.mode & 0o7777);
}

/** A file must not be written because of its location or type. */
export class UnwritableFileError extends Error {
  override readonly name = "UnwritableFileError";
  readonly path: string;

  constructor(path: string, reason: string) {
    super(`unable to write file at ${JSON.stringify(path)}: ${reason}`);
    this.path = path;
  }
}

/** The content of a file. */
export interface NewFile {
  readonly content: string;
  /** The mode of a new file. */
  readonly mode: number;
}

/** Like replaceFileInside, but the file needn't exist; a new one gets `mode`. Its folder must exist. */
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

/** Fails if something exists at the path. */
async function writeNew(path: string, content: string, mode: number): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  await using file = await open(path, flags, 0o600);
  await file.writeFile(content);
  await file.chmod(mode);
}
