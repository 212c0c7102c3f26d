import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readPackage } from "../../../scripts/build/third-party.ts";
import { judgeLicenses } from "../../../scripts/licenses/judge.ts";
import { type Lockfile, withDependencies } from "./site-packages.ts";

/** The packages whose code is on the site, with that of their dependencies. Its fonts are those of the reader's system. */
const packages = [
  "@vueuse/core",
  "@vueuse/integrations",
  "focus-trap",
  "mark.js",
  "mermaid",
  "minisearch",
  "vue",
];

/** Has more dependencies than code on the site: those are of the generator itself. */
const alone = "node_modules/vitepress";

/** The license of a package whose package.json doesn't say it: read in its file `license`. */
const licenses: Readonly<Record<string, string>> = { khroma: "MIT" };

/**
 * The licenses of the code that the site contains, as their terms require, from the folder that its generator is installed
 * in. Throws if one isn't allowed.
 */
export function siteLicenses(generator: string): string {
  const lock = JSON.parse(readFileSync(join(generator, "package-lock.json"), "utf8")) as Lockfile;
  const found = [...withDependencies(packages, lock), alone].toSorted().map((folder) => {
    const read = readPackage(join(generator, folder));
    return { ...read, license: licenses[read.name] ?? read.license };
  });
  const complaints = judgeLicenses(found);
  if (complaints.length > 0) {
    throw new Error(complaints.join("; "));
  }
  return found
    .map(({ name, version, license, texts }) => {
      const text = texts.length === 0 ? "Its package has no text of the license." : texts.join("\n\n");
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${"-".repeat(72)}\n\n`);
}
