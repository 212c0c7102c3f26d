import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

/** The product code of a folder in layers.json; a package keeps its tests and their support next to its code. */
export function codeOf(folder: string): string {
  return folder.startsWith("packages/") ? `${folder}/src/` : `${folder}/`;
}

/** The other `folders` that the code of a folder imports, type imports included. */
export function usedImports(root: string, folder: string, folders: readonly string[]): ReadonlySet<string> {
  const files = globSync(`${codeOf(folder)}**/*.ts`, { cwd: root });
  const paths = files.flatMap((file) => importedPaths(root, file));
  return new Set(
    folders.filter((each) => each !== folder && paths.some((path) => path.startsWith(codeOf(each)))),
  );
}

/** The imported files of the repository; for another package, its code as a whole. */
function importedPaths(root: string, file: string): readonly string[] {
  return ts.preProcessFile(readFileSync(join(root, file), "utf8")).importedFiles.flatMap(({ fileName }) => {
    if (fileName.startsWith("@weir/")) {
      return [codeOf(`packages/${fileName.split("/")[1] ?? ""}`)];
    }
    return fileName.startsWith(".") ? [relative(".", join(dirname(file), fileName))] : [];
  });
}
