import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The packages whose code is on the site. Its fonts are those of the reader's system. */
const packages = [
  "@vueuse/core",
  "@vueuse/integrations",
  "focus-trap",
  "mark.js",
  "mermaid",
  "minisearch",
  "tabbable",
  "vitepress",
  "vue",
];

/** The licenses of the code that the site contains, as their terms require. Throws if one isn't there. */
export function siteLicenses(modules: string): string {
  return packages
    .map((name) => {
      const folder = join(modules, name);
      const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        version: string;
      };
      const [file] = globSync("LICENSE*", { cwd: folder });
      if (file === undefined) {
        throw new Error(`the package ${name} has no license in it`);
      }
      return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
    })
    .join(`\n${"-".repeat(72)}\n\n`);
}
