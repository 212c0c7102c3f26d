import { quoteGo } from "@weir/base";

/**
 * A name that can stand in no path of the API: a server, or a proxy before it, could take the path for another
 * one. The message is client-go's.
 */
export class PathNameError extends Error {
  override readonly name = "PathNameError";
}

/** A namespace as a part of a path. Throws PathNameError. */
export function namespaceInPath(namespace: string): string {
  return inPath(namespace, "namespace");
}

/** The name of an object as a part of a path. Throws PathNameError, also where it is empty. */
export function nameInPath(name: string): string {
  if (name === "") {
    throw new PathNameError("resource name may not be empty");
  }
  return inPath(name, "resource name");
}

/** True for a path of which no part is "." or "..", also written with percent signs. */
export function isPlainPath(path: string): boolean {
  return !path.split("/").some((part) => isDots(part.replace(/%2e/gi, ".")));
}

function inPath(name: string, what: string): string {
  const faults = isDots(name)
    ? [`may not be '${name}'`]
    : ["/", "%"].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`);
  if (faults.length > 0) {
    throw new PathNameError(`invalid ${what} ${quoteGo(name)}: [${faults.join(" ")}]`);
  }
  return encodeURIComponent(name);
}

function isDots(name: string): boolean {
  return name === "." || name === "..";
}
