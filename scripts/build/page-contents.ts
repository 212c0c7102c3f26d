import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** Where the page is in `dist`, and in what is delivered. */
export const pageFolder = "console/page";

/** The name in `dist` of what the page is made of, as a metafile of esbuild has it. */
export const pageMetafile = "console/.page-metafile.json";

/** What the page is made of. */
export function metafileOfPage(root: string): Metafile {
  return JSON.parse(readFileSync(join(root, "dist", pageMetafile), "utf8")) as Metafile;
}
