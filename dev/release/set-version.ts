import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withRelease } from "./changelog.ts";
import { lockWithVersion, versionFiles, withVersion } from "./version-files.ts";

/**
 * Makes a working tree that of a version: package.json, which is where everything else has it from, the files that
 * name it, and the changelog, in which what is unreleased becomes the entry of this version and day (e.g.
 * "2026-03-31").
 */
export function setVersion(root: string, version: string, day: string): void {
  const current = versionOf(root);
  const change = (file: string, edit: (text: string) => string): void => {
    const path = join(root, file);
    writeFileSync(path, edit(readFileSync(path, "utf8")));
  };
  change("package.json", (text) => text.replace(`"version": "${current}"`, `"version": "${version}"`));
  change("package-lock.json", (text) => lockWithVersion(text, version));
  change("CHANGELOG.md", (text) => withRelease(text, version, day));
  for (const file of versionFiles) {
    change(file, (text) => withVersion(text, current, version));
  }
}

/** The version of a working tree. */
export function versionOf(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return version;
}
