import { globSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Metafile } from "esbuild";
import { filesOfPrograms } from "./program-files.ts";
import { bundledFolders, partOfMetafile, printNotices, readPackage } from "./third-party.ts";
import type { OutputFile } from "./write-tree.ts";

/**
 * The files that are delivered of a repository in which `npm run build` has run, to whoever gets these programs and no
 * others: by paths as in `dist`, with the licenses of exactly what's in them.
 */
export function contentsOfPrograms(root: string, programs: readonly string[]): readonly OutputFile[] {
  const dist = join(root, "dist");
  const names = filesOfPrograms(programs, join(dist, "lib"));
  const paths = [
    ...programs,
    ...names.flatMap((name) => filesIn(dist, `lib/${name}`)),
    ...pagesOf(programs, dist),
  ];
  return [
    ...paths.map((path) => ({
      path,
      contents: readFileSync(join(dist, path)),
      executable: (statSync(join(dist, path)).mode & 0o100) !== 0,
    })),
    ...["LICENSE", "NOTICE"].map((path) => ({ path, contents: readFileSync(join(root, path)) })),
    { path: noticesFile, contents: noticesOf(root, names) },
  ];
}

/** The name of the file with the licenses of packages. */
export const noticesFile = "THIRD-PARTY-NOTICES.txt";

/** What the files of `dist/lib` with these names are made of. */
export function metafileOf(root: string, names: readonly string[]): Metafile {
  const whole = JSON.parse(readFileSync(join(root, "dist", ".metafile.json"), "utf8")) as Metafile;
  return partOfMetafile(whole, names);
}

/** What has to be said of the packages in the files of `dist/lib` with these names. */
export function noticesOf(root: string, names: readonly string[]): string {
  const folders = bundledFolders(metafileOf(root, names));
  return printNotices(folders.map((folder) => readPackage(join(root, folder))));
}

/** The file, or those in the folder. */
function filesIn(dist: string, path: string): readonly string[] {
  return statSync(join(dist, path)).isDirectory()
    ? globSync(`${path}/**/*.*`, { cwd: dist }).filter((each) => statSync(join(dist, each)).isFile())
    : [path];
}

function pagesOf(programs: readonly string[], dist: string): readonly string[] {
  return globSync("man/*/*", { cwd: dist }).filter((path) =>
    programs.includes(basename(path).split(/[-.]/)[0] ?? ""),
  );
}
