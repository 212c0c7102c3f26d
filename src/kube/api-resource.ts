import { apiVersionOf, type GroupVersionKind } from "./gvk.ts";

/** A kind that an API server serves, as discovery tells of it. */
export interface ApiResource extends GroupVersionKind {
  /** The plural name in paths, e.g. "deployments". */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/**
 * The path of a collection (no name) or of one object. A namespaced resource with namespace "" gives the
 * collection over all namespaces.
 */
export function resourcePath(resource: ApiResource, namespace: string, name?: string): string {
  const root = resource.group === "" ? "/api/v1" : `/apis/${apiVersionOf(resource.group, resource.version)}`;
  const scope = resource.namespaced && namespace !== "" ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  const object = name === undefined ? "" : `/${encodeURIComponent(name)}`;
  return `${root}${scope}/${resource.resource}${object}`;
}
