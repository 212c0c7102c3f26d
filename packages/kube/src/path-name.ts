import { quoteGo } from "@weir/base";

/**
 * A name isn't valid in an API path: a server, or a proxy in front of it, could take the path for a different
 * one. The message is client-go's.
 */
export class PathNameError extends Error {
  override readonly name = "PathNameError";
}

/** A namespace as a path segment. Throws PathNameError. */
export function namespaceInPath(namespace: string): string {
  return inPath(namespace, "namespace");
}

/** An object name as a path segment. Throws PathNameError, also if the name is empty. */
export function nameInPath(name: string): string {
  if (name === "") {
    throw new PathNameError("resource name may not be empty");
  }
  return inPath(name, "resource name");
}

/** True if no segment of the path is "." or "..", even percent-encoded. */
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
