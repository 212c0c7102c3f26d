/** What a client asks of an API server. */
export type ApiVerb =
  | "create"
  | "delete"
  | "discover"
  | "get"
  | "list"
  | "other"
  | "patch"
  | "update"
  | "watch";

/** A request to an API server, by what it means. */
export interface ApiCall {
  readonly verb: ApiVerb;
  /** E.g. "configmaps"; "" for discovery. */
  readonly resource: string;
  /** The object's name; "" for several objects. */
  readonly name: string;
  /** The version from which a watch is to continue; "" if there is none. */
  readonly resourceVersion: string;
  /** True for a page of a list other than the first. */
  readonly continues: boolean;
  /** Calls of the same kind are counted together, so that the count doesn't depend on what else is going on. */
  readonly kind: string;
}

const verbs: Readonly<Record<string, ApiVerb>> = {
  POST: "create",
  PATCH: "patch",
  PUT: "update",
  DELETE: "delete",
};

/** Reads a request line: `target` is the path with the query. */
export function readApiCall(method: string, target: string): ApiCall {
  const url = new URL(target, "http://api");
  const { resource, name } = subjectIn(url.pathname);
  const verb = verbOf(method, resource, name, url.searchParams);
  const scope = url.searchParams.get("labelSelector") ?? url.searchParams.get("fieldSelector") ?? "";
  const continues = url.searchParams.has("continue");
  return {
    verb,
    resource,
    name,
    resourceVersion: url.searchParams.get("resourceVersion") ?? "",
    continues,
    kind: [verb, resource, name, scope, continues ? "continued" : ""].filter((word) => word !== "").join(" "),
  };
}

/** The path is /api/v1/… or /apis/<group>/<version>/…, and then perhaps namespaces/<namespace>/. */
function subjectIn(path: string): { readonly resource: string; readonly name: string } {
  const [root, ...words] = path.split("/").slice(1);
  const rest = words.slice(root === "apis" ? 2 : 1);
  const [resource = "", name = "", subresource] =
    rest[0] === "namespaces" && rest.length > 2 ? rest.slice(2) : rest;
  return { resource, name: subresource === undefined ? name : `${name}/${subresource}` };
}

function verbOf(method: string, resource: string, name: string, query: URLSearchParams): ApiVerb {
  if (method !== "GET") {
    return verbs[method] ?? "other";
  }
  if (resource === "") {
    return "discover";
  }
  if (query.has("watch")) {
    return "watch";
  }
  return name === "" ? "list" : "get";
}
