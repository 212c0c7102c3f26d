import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Scripts, and all that they import of this repository by relative paths: absolute paths, sorted. */
export function importedScripts(
  scripts: readonly string[],
  read: (path: string) => string = (path) => readFileSync(path, "utf8"),
): readonly string[] {
  const found = new Set(scripts);
  for (const path of found) {
    for (const [, name = ""] of read(path).matchAll(
      /^(?:import|export|\}) .*from "(\.{1,2}\/[^"]+\.ts)";$/gm,
    )) {
      found.add(join(dirname(path), name));
    }
  }
  return [...found].toSorted();
}

/** A checksum over them: another one if anything in them changes. */
export function hashOfScripts(
  scripts: readonly string[],
  read: (path: string) => string = (path) => readFileSync(path, "utf8"),
): string {
  const hash = createHash("sha256");
  for (const path of importedScripts(scripts, read)) {
    hash.update(`${read(path)}\0`);
  }
  return hash.digest("hex");
}
