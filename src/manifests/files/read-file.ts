import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { describeFileError, errorCode, isMissing, manifestLimits } from "@weir/base";
import { isInside } from "@weir/base/node";
import { type BytePath, shownPath } from "./byte-path.ts";

/** A file can't be read; the message says why. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

/** A file exceeds the size limit. */
export class LargeFileError extends UnreadableFileError {
  constructor(size: number, most: number) {
    super(
      `it's too large: it has ${size} bytes, and the limit is ${most}; split it, or move it out of the git paths`,
    );
  }
}

/**
 * Reads a file in a checkout whose root path contains no links. Follows a link if its target is inside the checkout.
 * Throws UnreadableFileError if the file is missing, outside the checkout, too large, or not a regular file. Even if
 * folders change at the same time, nothing outside is read.
 */
export async function readFileInside(
  root: string,
  path: BytePath,
  most: number = manifestLimits.file,
): Promise<Buffer> {
  await using file = await openInside(root, path);
  const { size, isFile } = await describe(file);
  if (!isFile) {
    throw new UnreadableFileError("it isn't a regular file");
  }
  if (size > most) {
    throw new LargeFileError(size, most);
  }
  return await readAll(file, path, size);
}

/** Opens without following a link in the last part, and then checks where the opened file is. */
async function openInside(root: string, path: BytePath): Promise<FileHandle> {
  const file = await openWithoutLink(path);
  const opened = file ?? (await openWithoutLink(await realPathOf(path)));
  if (opened === undefined) {
    throw new UnreadableFileError("it's a link that changed while it was read");
  }
  if (!isInside(await placeOf(opened, path), root)) {
    await opened.close();
    throw new UnreadableFileError("it's a link that leads out of the repository");
  }
  return opened;
}

/** Undefined for a link. Doesn't block on a pipe. */
async function openWithoutLink(path: BytePath): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (["ELOOP", "EMLINK"].includes(errorCode(error) ?? "")) {
      return undefined;
    }
    throw unreadable("open", path, error);
  }
}

async function realPathOf(path: BytePath): Promise<Buffer> {
  try {
    return await realpath(path, { encoding: "buffer" });
  } catch (error) {
    throw unreadable("open", path, error);
  }
}

/**
 * On Linux, the system knows the path of an open file; elsewhere, the path is resolved and compared with the open file.
 */
async function placeOf(file: FileHandle, path: BytePath): Promise<string> {
  try {
    return await readlink(`/proc/self/fd/${file.fd}`);
  } catch (error) {
    if (!isMissing(error)) {
      throw unreadable("open", path, error);
    }
  }
  const place = await realPathOf(path);
  const [opened, there] = await Promise.all([file.stat(), stat(place)]);
  if (opened.ino !== there.ino || opened.dev !== there.dev) {
    throw new UnreadableFileError("it's a link that changed while it was read");
  }
  return shownPath(place);
}

async function describe(file: FileHandle): Promise<{ readonly size: number; readonly isFile: boolean }> {
  const stats = await file.stat();
  return { size: stats.size, isFile: stats.isFile() };
}

/** Reads no more bytes than the file had when it was opened, because it may be growing. */
async function readAll(file: FileHandle, path: BytePath, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size);
  let length = 0;
  try {
    while (length < size) {
      const { bytesRead } = await file.read(buffer, length, size - length, length);
      if (bytesRead === 0) {
        break;
      }
      length += bytesRead;
    }
  } catch (error) {
    throw unreadable("read", path, error);
  }
  return buffer.subarray(0, length);
}

function unreadable(operation: string, path: BytePath, error: unknown): UnreadableFileError {
  return new UnreadableFileError(describeFileError(operation, shownPath(path), error), { cause: error });
}
