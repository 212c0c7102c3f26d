/**
 * `node scripts/copy-programs.ts FOLDER PROGRAM...`: copies what the programs need of `dist` into a new folder, with their
 * licenses, and with the page of weir-console, as releases deliver it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { contentsOfPage } from "./build/page-files.ts";
import { contentsOfPrograms } from "./build/program-contents.ts";
import { writeTree } from "./build/write-tree.ts";

const root = join(import.meta.dirname, "..");

function main([folder = "", ...programs]: readonly string[]): number {
  if (programs.length === 0) {
    console.error("Usage: node scripts/copy-programs.ts FOLDER PROGRAM...");
    return 2;
  }
  if (existsSync(folder)) {
    console.error(`Error: ${folder} exists: name a new folder, or remove that one`);
    return 1;
  }
  const page = programs.includes("weir-console") ? contentsOfPage(root) : [];
  writeTree(
    folder,
    [...contentsOfPrograms(root, programs), ...page].map((file) => ({
      ...file,
      path: join(folder, file.path),
    })),
  );
  return 0;
}

process.exitCode = main(process.argv.slice(2));
