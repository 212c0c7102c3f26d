import { messageOf } from "./errors.ts";

/** Go's messages for errors of the operating system. */
const texts: Partial<Record<string, string>> = {
  EACCES: "permission denied",
  EISDIR: "is a directory",
  ELOOP: "too many levels of symbolic links",
  ENAMETOOLONG: "file name too long",
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
  ENXIO: "no such device or address",
};

/** The error of a file operation in Go's format: "open <path>: no such file or directory". */
export function describeFileError(operation: string, path: string, error: unknown): string {
  const text = texts[errorCode(error) ?? ""];
  return text === undefined ? messageOf(error) : `${operation} ${path}: ${text}`;
}

/** True if the error means that nothing exists at the path. */
export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "");
}

/** The operating system's code of an error, such as "ENOENT". */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
