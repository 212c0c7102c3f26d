import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Lines that say what is in the folder of a release, each with its size. */
export function describeMade(out: string, name: string): readonly string[] {
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const sizes = files.map((file) => statSync(file).size);
  return [
    `Made ${files.length} files in ${name}:`,
    ...files.map(
      (file, index) => `${printSize(sizes[index] ?? 0).padStart(9)}  ${file.slice(out.length + 1)}`,
    ),
  ];
}

function printSize(bytes: number): string {
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
