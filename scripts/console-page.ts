/**
 * `npm run build:page`: writes the console's page into dist/console/page. It isn't part of `npm run build`, which must do
 * with the packages that are delivered, and Vite isn't one of them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildConsolePage } from "./build/console-page.ts";
import { pageFolder, pageMetafile } from "./build/page-contents.ts";

const root = join(import.meta.dirname, "..");

console.error("weir: building the console's page");
const metafile = await buildConsolePage({ root, out: join(root, "dist", pageFolder) });
writeFileSync(join(root, "dist", pageMetafile), JSON.stringify(metafile));
