import { isAbsolute, relative, sep } from "node:path";

/** True where a path is a folder or stands below it. Both have to be absolute and without links. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
