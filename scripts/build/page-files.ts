import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pageFolder } from "./page-contents.ts";
import type { OutputFile } from "./write-tree.ts";

/** The page of the console, with its licenses: by paths as in `dist`. Throws if `npm run build:page` hasn't run. */
export function contentsOfPage(root: string): readonly OutputFile[] {
  const dist = join(root, "dist");
  if (!existsSync(join(dist, pageFolder, "index.html"))) {
    throw new Error(`the console's page isn't in ${join(dist, pageFolder)}: run npm run build:page`);
  }
  return globSync(`${pageFolder}/**/*`, { cwd: dist })
    .filter((path) => statSync(join(dist, path)).isFile())
    .map((path) => ({ path, contents: readFileSync(join(dist, path)) }));
}
