/** What a path of the API means. */

/** A request for resources. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  /** "" where none is named. */
  readonly namespace: string;
  readonly resource: string;
  /** "" for a collection. */
  readonly name: string;
  /** "" for the resource itself. */
  readonly subresource: string;
  /** The path has the old /watch/ before the resource. */
  readonly watch: boolean;
}

/** Takes apart /api/v1/… and /apis/group/version/…; undefined where the path names no resource. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const parts = decode(path);
  const [root, ...rest] = parts ?? [];
  const [group, version, ...tail] = root === "api" ? ["", ...rest] : rest;
  const isApi = root === "api" || root === "apis";
  if (!isApi || group === undefined || version === undefined || tail.length === 0) {
    return undefined;
  }
  const watch = tail[0] === "watch";
  return resourcePath({ group, version, watch }, watch ? tail.slice(1) : tail);
}

/** Everything below namespaces/x but namespaces/x itself and its own subresources is in the namespace. */
function resourcePath(
  root: { readonly group: string; readonly version: string; readonly watch: boolean },
  tail: readonly string[],
): ResourcePath | undefined {
  const [first, second, third] = tail;
  const isOwn = third === undefined || (tail.length === 3 && ["status", "finalize"].includes(third));
  const isWithin = first === "namespaces" && second !== undefined && !isOwn;
  const [resource, name = "", subresource = ""] = isWithin ? tail.slice(2) : tail;
  if (resource === undefined || resource === "") {
    return undefined;
  }
  return {
    ...root,
    namespace: isWithin ? second : "",
    resource,
    name,
    subresource,
  };
}

function decode(path: string): readonly string[] | undefined {
  try {
    return path
      .replace(/^\/+|\/+$/g, "")
      .split("/")
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
