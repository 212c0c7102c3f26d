import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { consoleFiles } from "../../build/console-files.ts";
import { programsManifest } from "./manifest.ts";

const programs = ["fluxctl", "fluxd", "weir"];

/** Writes what the package with the programs contains: the bundles in `dist`, which need no other package. */
export function stagePrograms(options: {
  readonly root: string;
  readonly version: string;
  readonly folder: string;
}): void {
  const { root, version, folder } = options;
  const dist = join(root, "dist");
  mkdirSync(folder, { recursive: true });
  for (const name of [...programs, "lib", "man", "THIRD-PARTY-NOTICES.txt"]) {
    // Names that begin with a dot are those of caches.
    const filter = (path: string): boolean =>
      !basename(path).startsWith(".") && !consoleFiles.includes(basename(path));
    cpSync(join(dist, name), join(folder, name), { recursive: true, filter });
  }
  for (const name of ["LICENSE", "NOTICE"]) {
    cpSync(join(root, name), join(folder, name));
  }
  cpSync(join(import.meta.dirname, "weir.md"), join(folder, "README.md"));
  const pages = globSync("man/**/*.1", { cwd: folder }).toSorted();
  const manifest = programsManifest(version, programs, pages);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const packed = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
  if (packed.version !== version) {
    throw new Error(`the programs in ${dist} are those of version ${packed.version}, not ${version}`);
  }
}
