import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RequestHandler } from "express";
import { servePage } from "../rest/page.ts";
import { StartError } from "./start-error.ts";

/** Serves the files of the page. Throws StartError if they aren't there. */
export function openPage(folder: string): RequestHandler {
  if (!existsSync(join(folder, "index.html"))) {
    throw new StartError(
      `the console's page is not in ${folder}: in a clone of the repository, run \`npm run build:page\`; otherwise, install weir-console again`,
    );
  }
  return servePage(folder);
}
