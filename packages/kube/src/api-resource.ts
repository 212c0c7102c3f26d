import { apiVersionOf, type GroupVersionKind } from "./gvk.ts";
import { nameInPath, namespaceInPath, PathNameError } from "./path-name.ts";

/** A kind that an API server serves, according to discovery. */
export interface ApiResource extends GroupVersionKind {
  /** The plural name in paths, e.g. "deployments". */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/**
 * The path of a collection (without a name) or of one object. A namespaced resource with namespace "" is the
 * collection across all namespaces. Throws PathNameError for names that aren't valid in a path.
 */
export function resourcePath(resource: ApiResource, namespace: string, name?: string): string {
  const root = resource.group === "" ? "/api/v1" : `/apis/${apiVersionOf(resource.group, resource.version)}`;
  if (resource.namespaced && namespace === "" && name !== undefined) {
    throw new PathNameError("an empty namespace may not be set when a resource name is provided");
  }
  const scope = resource.namespaced && namespace !== "" ? `/namespaces/${namespaceInPath(namespace)}` : "";
  return `${root}${scope}/${resource.resource}${name === undefined ? "" : `/${nameInPath(name)}`}`;
}

/** The path of a Namespace. Throws PathNameError. */
export function namespacePath(name: string): string {
  return `/api/v1/namespaces/${nameInPath(name)}`;
}

/** The path of a core resource's objects in a namespace, or of one object. Throws PathNameError. */
export function corePath(namespace: string, resource: string, name?: string): string {
  return `${namespacePath(namespace)}/${resource}${name === undefined ? "" : `/${nameInPath(name)}`}`;
}
