import { chmod, link, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A file to write: what it contains, or the path of a program, on the same disk, to link. */
export type Content = string | Uint8Array | { readonly linkTo: string };

/** Makes a folder that has exactly these files, by their paths in it, with the usual modes whatever the umask is. */
export async function writeFiles(folder: string, files: ReadonlyMap<string, Content>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [path, content] of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    if (typeof content === "object" && "linkTo" in content) {
      await link(content.linkTo, target);
    } else {
      await writeFile(target, content);
      await chmod(target, 0o644);
    }
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  for (const path of [folder, ...folders.map(({ parentPath, name }) => join(parentPath, name))]) {
    await chmod(path, 0o755);
  }
}
