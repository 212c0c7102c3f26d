import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A file to write: what it contains, or the path of a program to copy. */
export type Content = string | Uint8Array | { readonly copyOf: string };

/** Makes a folder that has exactly these files, by their paths in it. */
export async function writeFiles(folder: string, files: ReadonlyMap<string, Content>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [path, content] of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    if (typeof content === "object" && "copyOf" in content) {
      await cp(content.copyOf, target);
    } else {
      await writeFile(target, content, { mode: 0o644 });
    }
  }
}
