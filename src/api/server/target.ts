import { posix } from "node:path";

/** What a request is for: a path of ours, one that is written another way, or nothing that can be read. */
export type RequestTarget =
  /** `url` is the path and query as this server writes them. */
  | { readonly kind: "clean"; readonly url: string }
  | { readonly kind: "moved"; readonly location: string }
  | { readonly kind: "broken" };

/**
 * Reads the target of a request. As Go's ServeMux: a path with doubled slashes or dots in it is led to the clean
 * one, so that what a path looks like is what it means; escaped letters mean the letters.
 */
export function readTarget(target: string): RequestTarget {
  const relative = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
  const [path = ""] = relative.split("?", 1);
  const query = relative.slice(path.length);
  if (/%(?![0-9a-f]{2})/i.test(path)) {
    return { kind: "broken" };
  }
  const meant = unescapePath(path);
  const clean = cleanPath(meant);
  const url = escapePath(clean) + query;
  return clean === meant ? { kind: "clean", url } : { kind: "moved", location: url };
}

/** A slash at the end stays. */
function cleanPath(path: string): string {
  return posix.normalize(path.startsWith("/") ? path : `/${path}`);
}

/** What is no UTF-8 stays as it is: no path of ours looks like that. */
function unescapePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function escapePath(path: string): string {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}
