import { createHash } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A short hash of the names and contents of a Go module's files. */
export async function sourceHash(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const files: string[] = [];
  for await (const file of glob(["go.mod", "go.sum", "**/*.go"], { cwd: folder })) {
    files.push(file);
  }
  for (const file of files.toSorted()) {
    hash.update(`${file}\0`).update(await readFile(join(folder, file)));
  }
  return hash.digest("hex").slice(0, 16);
}
