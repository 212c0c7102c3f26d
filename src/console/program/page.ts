import { existsSync } from "node:fs";
import { join } from "node:path";
import { type PageFile, readPageFiles } from "../rest/page-files.ts";
import { StartError } from "./start-error.ts";

/** Reads the files of the page. Throws StartError if they aren't there. */
export function readPage(folder: string): ReadonlyMap<string, PageFile> {
  if (!existsSync(join(folder, "index.html"))) {
    throw new StartError(
      `the console's page is not in ${folder}: in a clone of the repository, run \`npm run build:page\`; otherwise, install weir-console again`,
    );
  }
  return readPageFiles(folder);
}
