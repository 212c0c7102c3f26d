import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where the build puts the page: beside the folder of the bundles; for the sources, in dist. */
export function pageFolder(): string {
  const ofBundle = join(import.meta.dirname, "..", "console", "page");
  return existsSync(ofBundle) ? ofBundle : join(import.meta.dirname, "..", "..", "dist", "console", "page");
}
