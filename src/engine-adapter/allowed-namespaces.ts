import { clusterScope, partsOfResourceId, type ResourceId, type ResourceIdParts } from "@weir/flux";
import type { KubeObject } from "@weir/kube";

/**
 * True if the allowed namespaces include a resource. Without allowed namespaces, all resources are included.
 * Cluster-scoped resources always are, except Namespace objects, whose own name counts. Like Flux v1's
 * IsAllowedResource.
 */
export function isAllowedResource(id: ResourceId, allowed: ReadonlySet<string>): boolean {
  return allowed.size === 0 || isAllowed(partsOfResourceId(id), allowed);
}

/** The same for an object, by its own fields: these decide where it goes, whatever its ID looks like. */
export function isAllowedObject({ kind, metadata }: KubeObject, allowed: ReadonlySet<string>): boolean {
  const { namespace = "", name = "" } = metadata;
  return (
    allowed.size === 0 ||
    isAllowed(
      { namespace: namespace === "" ? clusterScope : namespace, kind: kind.toLowerCase(), name },
      allowed,
    )
  );
}

/** The resources without a namespace, which the allowed namespaces therefore don't restrict. */
export function unboundIds(ids: Iterable<ResourceId>): readonly ResourceId[] {
  return [...ids].filter((id) => {
    const { namespace, kind } = partsOfResourceId(id);
    return namespace === clusterScope && kind !== "namespace";
  });
}

function isAllowed({ namespace, kind, name }: ResourceIdParts, allowed: ReadonlySet<string>): boolean {
  if (namespace !== clusterScope) {
    return allowed.has(namespace);
  }
  return kind !== "namespace" || allowed.has(name);
}
