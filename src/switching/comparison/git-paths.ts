import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ComparisonError } from "./errors.ts";

/** The git paths, if a folder has all of them. Rejects with ComparisonError. */
export async function requirePaths(root: string, paths: readonly string[]): Promise<readonly string[]> {
  for (const path of paths) {
    if (!(await isThere(join(root, path)))) {
      throw new ComparisonError(`the folder to compare has no ${path}, which is one of the git paths`, [
        "--local takes the root of the repository; the paths in it are those of fluxd's --git-path.",
      ]);
    }
  }
  return paths;
}

/** The git paths that a folder has; undefined if it has none of them. */
export async function presentPaths(
  root: string,
  paths: readonly string[],
): Promise<readonly string[] | undefined> {
  const found = await Promise.all(paths.map((path) => isThere(join(root, path))));
  const present = paths.filter((_, index) => found[index]);
  return present.length === 0 && paths.length > 0 ? undefined : present;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
