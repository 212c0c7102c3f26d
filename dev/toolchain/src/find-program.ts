import { accessSync, constants, globSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The folders to search: sshd is often in one that isn't on PATH, and Debian's PostgreSQL and podman's helpers always. */
function searchPath(): readonly string[] {
  return [
    ...(process.env["PATH"] ?? "").split(delimiter),
    "/usr/sbin",
    "/sbin",
    "/usr/local/sbin",
    "/usr/local/go/bin",
    "/usr/lib/podman",
    ...globSync("/usr/lib/postgresql/*/bin"),
  ];
}

/** The full path of a program, or undefined if it isn't installed. */
export function findProgram(program: string): string | undefined {
  return searchPath()
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

/** True if the path is that of a program that this process may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
