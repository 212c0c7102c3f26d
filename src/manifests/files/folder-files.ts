import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { findManifestFiles } from "./find-files.ts";
import { readFileInside } from "./read-file.ts";
import type { SourceFiles } from "./source-files.ts";

/** The files in a folder, by its absolute path. */
export function folderFiles(root: string): SourceFiles {
  return {
    find: (paths, signal) => findManifestFiles(root, paths, signal),
    async open() {
      const realRoot = await realpath(root);
      return {
        async read({ path }, most) {
          const content = await readFileInside(realRoot, path, most);
          return { content, blobId: blobIdOf(content) };
        },
      };
    },
  };
}

/** Git's ID for the content of a file. */
function blobIdOf(content: Buffer): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}
