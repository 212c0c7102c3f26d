/**
 * Writes the documents in deploy/: `node scripts/make-deploy.ts`
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deployFiles } from "./deploy/files.ts";

const root = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

for (const { name, content } of deployFiles(version)) {
  writeFileSync(join(root, "deploy", name), content);
}
