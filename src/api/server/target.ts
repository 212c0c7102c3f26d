import { posix } from "node:path";

/** The target of a request: a normalized path, a path that should be redirected, or an invalid one. */
export type RequestTarget =
  /** `url` is the normalized path and query. */
  | { readonly kind: "clean"; readonly url: string }
  | { readonly kind: "moved"; readonly location: string }
  | { readonly kind: "broken" };

/**
 * Parses the target of a request. As Go's ServeMux: a path with double slashes or dots is redirected to the
 * normalized path, so that a path means what it says; percent-encoded characters are decoded.
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

/** A trailing slash is kept. */
function cleanPath(path: string): string {
  return posix.normalize(path.startsWith("/") ? path : `/${path}`);
}

/** Text that isn't valid UTF-8 is kept as it is: no route matches it. */
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
