import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dataEnding, neededFiles } from "./needed-files.ts";
import type { Program } from "./platforms.ts";

/** What goes into the executable of a program. */
export interface Bundles {
  /** The folder that the files are in. */
  readonly folder: string;
  /** CommonJS, which the executable compiles itself. */
  readonly scripts: readonly string[];
  /** All files, with the scripts. */
  readonly files: readonly string[];
}

/** Those of a program in dist/lib. */
export function bundlesOf(program: Program, folder: string): Bundles {
  const names = readdirSync(folder);
  const texts = names
    .filter((name) => /\.[cm]js$/.test(name))
    .map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
  const data = names.filter((name) => name.endsWith(dataEnding));
  const needed = neededFiles(program, new Map(texts), data);
  return {
    folder,
    scripts: needed.bundles.filter((name) => name.endsWith(".cjs")),
    files: [...needed.bundles, ...needed.data],
  };
}
