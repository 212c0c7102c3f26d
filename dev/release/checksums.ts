import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";

/** The name of the file with the checksums, at the top of what is released. */
export const checksumsFile = "checksums.txt";

/**
 * A file for `sha256sum --check`, from SHA-256 in hex by path: sorted, with a slash between folders. Throws if a path
 * has a line break or a backslash, which sha256sum would have to escape.
 */
export function printChecksums(checksums: ReadonlyMap<string, string>): string {
  const lines = [...checksums].map(([path, sum]) => {
    if (/[\n\r\\]/.test(path)) {
      throw new Error(
        `a released file has a name that can't be in ${checksumsFile}: ${JSON.stringify(path)}`,
      );
    }
    return `${sum}  ${path}\n`;
  });
  return lines.toSorted((a, b) => (pathIn(a) < pathIn(b) ? -1 : 1)).join("");
}

function pathIn(line: string): string {
  return line.slice(line.indexOf("  "));
}

/** The checksums of all files below a folder, except the file with the checksums itself, by their paths in it. */
export async function checksumsOf(folder: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const checksums = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/");
    if (entry.isFile() && path !== checksumsFile) {
      checksums.set(path, await sha256Of(join(folder, path), signal));
    }
  }
  return checksums;
}

/** The SHA-256 of a file in hex, without reading all of it into memory. */
export async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest("hex");
}
