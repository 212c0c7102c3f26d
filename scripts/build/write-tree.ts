import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file to write. */
export interface OutputFile {
  readonly path: string;
  readonly contents: string | Uint8Array;
  readonly executable?: boolean;
}

/**
 * Makes a folder contain exactly these files. Each file is replaced atomically, so that a program that runs
 * from the folder meanwhile always finds it. Leaves names that begin with a dot alone, and the folders that others write.
 */
export function writeTree(
  folder: string,
  files: readonly OutputFile[],
  others: readonly string[] = [],
): void {
  files.forEach(replaceFile);
  const wanted = new Set(files.map(({ path }) => path));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const hidden = path.slice(folder.length).includes("/.");
    const foreign = others.some((other) => path.startsWith(`${other}/`));
    if (entry.isFile() && !hidden && !foreign && !wanted.has(path)) {
      rmSync(path);
    }
  }
}

function replaceFile({ path, contents, executable = false }: OutputFile): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = join(dirname(path), `.${process.pid}.draft`);
  writeFileSync(draft, contents);
  chmodSync(draft, executable ? 0o755 : 0o644);
  renameSync(draft, path);
}
