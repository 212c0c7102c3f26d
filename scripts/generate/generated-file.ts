import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

const root = join(import.meta.dirname, "..", "..");

/** A generated file, with its path from the root of the repository. */
export interface GeneratedFile {
  readonly path: string;
  readonly content: string | Buffer;
  /**
   * The decoded content, for formats that can encode the same content in several ways, such as compressed
   * ones.
   */
  readonly meaning?: (content: Buffer) => unknown;
}

/** True if the repository contains a file with the same content as the generated one. */
export function isFresh({ path, content, meaning = String }: GeneratedFile): boolean {
  const present = read(path);
  return present !== undefined && isDeepStrictEqual(meaning(present), meaning(Buffer.from(content)));
}

/** Writes a file, unless it already has the same content. Returns whether it was written. */
export function refresh(file: GeneratedFile): boolean {
  const isStale = !isFresh(file);
  if (isStale) {
    writeFileSync(join(root, file.path), file.content);
  }
  return isStale;
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(join(root, path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}
