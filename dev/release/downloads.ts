import { chmodSync, copyFileSync, existsSync, readdirSync, renameSync, rmdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseStep } from "./context.ts";

/** The folders that steps put into a release for people to download. What is left in folders is pushed elsewhere. */
const folders = ["bin", "chart", "docs", "monitoring", "sbom"];

/**
 * Moves what people download to the top of the release, and adds the script that verifies it. A release of a Git host
 * has no folders, and renames files with other characters, so that neither may be in what documents and checksums call
 * a file. Throws if two files have the same name, or one has such a character.
 */
export const downloadsStep: ReleaseStep = ({ root, out, sourceDate }) => {
  const made: string[] = [];
  for (const folder of folders.map((name) => join(out, name)).filter((path) => existsSync(path))) {
    for (const name of readdirSync(folder).toSorted()) {
      const target = join(out, name);
      refuseName(name, target);
      renameSync(join(folder, name), target);
      made.push(target);
    }
    rmdirSync(folder);
  }
  const script = join(out, "verify-release.sh");
  copyFileSync(join(root, "scripts", "verify-release.sh"), script);
  chmodSync(script, 0o755);
  utimesSync(script, sourceDate, sourceDate);
  return Promise.resolve([...made, script]);
};

function refuseName(name: string, target: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
    throw new Error(`Git hosts would rename ${name}: use letters, digits, ".", "_", and "-"`);
  }
  if (existsSync(target)) {
    throw new Error(`two files of the release are called ${name}`);
  }
}
