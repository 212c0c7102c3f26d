import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentsOfPrograms } from "../../../scripts/build/program-contents.ts";
import { writeTree } from "../../../scripts/build/write-tree.ts";
import { programsManifest } from "./manifest.ts";

/** The programs of the package. */
export const packedPrograms: readonly string[] = ["fluxctl", "fluxd", "weir"];

/**
 * Writes what the package with the programs contains: the bundles in `dist` that they load, which need no other package,
 * but not those of weir-console.
 */
export function stagePrograms(options: {
  readonly root: string;
  readonly version: string;
  readonly folder: string;
}): void {
  const { root, version, folder } = options;
  const contents = contentsOfPrograms(root, packedPrograms);
  writeTree(
    folder,
    contents.map((file) => ({ ...file, path: join(folder, file.path) })),
  );
  cpSync(join(import.meta.dirname, "weir.md"), join(folder, "README.md"));
  const pages = globSync("man/*/*.[1-8]", { cwd: folder }).toSorted();
  const manifest = programsManifest(version, packedPrograms, pages);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const packed = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
  if (packed.version !== version) {
    throw new Error(
      `the programs in ${join(root, "dist")} are those of version ${packed.version}, not ${version}`,
    );
  }
}
