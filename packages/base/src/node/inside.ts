import { isAbsolute, relative, sep } from "node:path";

/** True if a path is a folder or inside it. Both must be absolute and without links. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
