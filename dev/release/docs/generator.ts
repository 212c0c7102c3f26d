import { createHash } from "node:crypto";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exec } from "@weir/base/node";
import { keptBuild } from "@weir/toolchain";

const manifests = ["package.json", "package-lock.json"];

/**
 * The folder in which the site's generator is installed. `website` has the lockfile, and it's installed with exactly the packages of its lockfile. It's installed once
 * and kept, because most checks don't need it.
 */
export function installGenerator(website: string, signal: AbortSignal): Promise<string> {
  return keptBuild({
    name: "website",
    hash: hashOf(manifests.map((name) => readFileSync(join(website, name)))),
    async fill(folder) {
      for (const name of manifests) {
        copyFileSync(join(website, name), join(folder, name));
      }
      const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
      await exec("npm", ["ci", "--prefix", folder, ...flags], signal);
    },
    signal,
  });
}

function hashOf(contents: readonly Buffer[]): string {
  const hash = createHash("sha256");
  for (const content of contents) {
    hash.update(content);
  }
  return hash.digest("hex").slice(0, 16);
}
