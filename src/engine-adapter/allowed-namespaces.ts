import { clusterScope, partsOfResourceId, type ResourceId } from "../resource/id.ts";

/**
 * True where the allowed namespaces leave a resource in: all do where there are none, and so do
 * cluster-scoped resources, but for Namespace objects, whose own name counts. As Flux v1's IsAllowedResource.
 */
export function isAllowedResource(id: ResourceId, allowed: ReadonlySet<string>): boolean {
  if (allowed.size === 0) {
    return true;
  }
  const { namespace, kind, name } = partsOfResourceId(id);
  if (namespace !== clusterScope) {
    return allowed.has(namespace);
  }
  return kind !== "namespace" || allowed.has(name);
}
