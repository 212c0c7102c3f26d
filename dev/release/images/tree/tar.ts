import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { extract, type Header, type Pack, pack } from "tar-stream";
import type { Entry, Tree } from "./entry.ts";

/** The entries of an archive, in its order. Throws where it has devices or the like. */
export async function readTar(archive: Buffer): Promise<readonly Entry[]> {
  const reader = extract();
  reader.end(archive);
  const entries: Entry[] = [];
  for await (const entry of reader) {
    // A stream of another library, which Node.js takes for an iterable.
    entries.push(entryOf(entry.header, await buffer(entry as AsyncIterable<Buffer>)));
  }
  return entries;
}

function entryOf(header: Header, content: Buffer): Entry {
  const { name, type, mode, uid, gid, mtime, linkname } = header;
  const common = { path: pathOf(name), uid, gid, modified: Math.floor(mtime.getTime() / 1000) };
  switch (type) {
    case "file":
      return { ...common, kind: "file", mode, content };
    case "directory":
      return { ...common, kind: "folder", mode };
    case "symlink":
      return { ...common, kind: "link", target: linkname };
    case "link":
      return { ...common, kind: "hard link", target: pathOf(linkname) };
    default:
      throw new Error(`${name} is a ${type}, which no image should have`);
  }
}

/** "./usr/" is "usr", and "./" is "". */
function pathOf(name: string): string {
  return name.replace(/^\.?\//, "").replace(/\/$/, "");
}

/** An archive of the tree, by path: the same tree gives the same bytes. */
export function writeTar(tree: Tree): Readable {
  const archive = pack();
  void addAll(archive, tree).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return archive as unknown as Readable;
}

async function addAll(archive: Pack, tree: Tree): Promise<void> {
  for (const path of [...tree.keys()].toSorted()) {
    const entry = tree.get(path);
    if (entry !== undefined) {
      await add(archive, entry);
    }
  }
}

function add(archive: Pack, entry: Entry): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry(headerOf(entry), entry.kind === "file" ? entry.content : "", (error) => {
      if (error) {
        reject(error);
      } else {
        resolve();
      }
    });
  });
}

function headerOf(entry: Entry): Partial<Header> & Pick<Header, "name"> {
  const { path: name, uid, gid, modified } = entry;
  const common = { name, uid, gid, mtime: new Date(modified * 1000), uname: "", gname: "" };
  switch (entry.kind) {
    case "file":
      return { ...common, type: "file", mode: entry.mode, size: entry.content.length };
    case "folder":
      return { ...common, name: `${name}/`, type: "directory", mode: entry.mode };
    case "link":
      return { ...common, type: "symlink", mode: 0o777, linkname: entry.target };
    case "hard link":
      return { ...common, type: "link", mode: 0o644, linkname: entry.target };
  }
}
