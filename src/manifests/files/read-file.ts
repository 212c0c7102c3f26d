import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { setImmediate } from "node:timers/promises";
import { describeFileError, errorCode, isMissing, manifestLimits } from "@weir/base";
import { isInside } from "@weir/base/node";
import { type BytePath, shownPath } from "./byte-path.ts";

/** After this many bytes, other work can run before the rest is read. */
const pieceSize = 1024 * 1024;

/**
 * Reads a file in a checkout whose root path contains no links. Follows a link if its target is inside the checkout.
 * Throws UnreadableFileError if the file is missing, outside the checkout, too large, or not a regular file. Even if
 * folders change at the same time, nothing outside is read.
 *
 * Uses the synchronous functions of Node.js: a file was just checked out, and to open and read it takes several times
 * less than to have a thread do so. Whoever reads many files lets other work run in between.
 */
export async function readFileInside(
  root: string,
  path: BytePath,
  most: number = manifestLimits.file,
): Promise<Buffer> {
  const file = openInside(root, path);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) {
      throw new UnreadableFileError("it isn't a regular file");
    }
    if (stats.size > most) {
      throw new LargeFileError(stats.size, most);
    }
    return await readAll(file, path, stats.size);
  } finally {
    closeSync(file);
  }
}

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

/** Opens without following a link in the last part, and then checks where the opened file is. */
function openInside(root: string, path: BytePath): number {
  const file = openWithoutLink(path) ?? openWithoutLink(realPathOf(path));
  if (file === undefined) {
    throw new UnreadableFileError("it's a link that changed while it was read");
  }
  try {
    if (!isInside(placeOf(file, path), root)) {
      throw new UnreadableFileError("it's a link that leads out of the repository");
    }
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Undefined for a link. Doesn't block on a pipe. */
function openWithoutLink(path: BytePath): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (["ELOOP", "EMLINK"].includes(errorCode(error) ?? "")) {
      return undefined;
    }
    throw unreadable("open", path, error);
  }
}

function realPathOf(path: BytePath): Buffer {
  try {
    return realpathSync.native(path, { encoding: "buffer" });
  } catch (error) {
    throw unreadable("open", path, error);
  }
}

/**
 * On Linux, the system knows the path of an open file; elsewhere, the path is resolved and compared with the open file.
 */
function placeOf(file: number, path: BytePath): string {
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch (error) {
    if (!isMissing(error)) {
      throw unreadable("open", path, error);
    }
  }
  const place = realPathOf(path);
  const [opened, there] = [fstatSync(file), statSync(place)];
  if (opened.ino !== there.ino || opened.dev !== there.dev) {
    throw new UnreadableFileError("it's a link that changed while it was read");
  }
  return shownPath(place);
}

/** Reads no more bytes than the file had when it was opened, because it may be growing. */
async function readAll(file: number, path: BytePath, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size);
  let length = 0;
  try {
    while (length < size) {
      const read = readSync(file, buffer, length, Math.min(size - length, pieceSize), length);
      if (read === 0) {
        break;
      }
      length += read;
      if (size > pieceSize) {
        await setImmediate();
      }
    }
  } catch (error) {
    throw unreadable("read", path, error);
  }
  return buffer.subarray(0, length);
}

function unreadable(operation: string, path: BytePath, error: unknown): UnreadableFileError {
  return new UnreadableFileError(describeFileError(operation, shownPath(path), error), { cause: error });
}
