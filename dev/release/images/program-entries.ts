import { posix } from "node:path";
import type { OutputFile } from "../../../scripts/build/write-tree.ts";
import { type Entry, file, folder } from "./tree/entry.ts";

/** Files of a build in a folder of an image, with the folders that they're in. `sourceDate` is the time they show. */
export function programEntries(
  to: string,
  files: readonly OutputFile[],
  sourceDate: number,
): readonly Entry[] {
  const modified = { modified: sourceDate };
  const entries = files.map(({ path, contents, executable = false }) =>
    file(`${to}/${path}`, typeof contents === "string" ? contents : Buffer.from(contents), {
      mode: executable ? 0o755 : 0o644,
      ...modified,
    }),
  );
  const folders = new Set(entries.flatMap(({ path }) => foldersAbove(path, to)));
  return [...[...folders].toSorted().map((path) => folder(path, modified)), ...entries];
}

function foldersAbove(path: string, top: string): readonly string[] {
  const above = posix.dirname(path);
  return above === top ? [top] : [...foldersAbove(above, top), above];
}
