import type { KubeObject } from "@weir/kube";
import { clusterScope, partsOfResourceId, type ResourceId, type ResourceIdParts } from "../resource/id.ts";

/**
 * True where the allowed namespaces leave a resource in: all do where there are none, and so do
 * cluster-scoped resources, but for Namespace objects, whose own name counts. As Flux v1's IsAllowedResource.
 */
export function isAllowedResource(id: ResourceId, allowed: ReadonlySet<string>): boolean {
  return allowed.size === 0 || isAllowed(partsOfResourceId(id), allowed);
}

/** The same of an object, by what it says itself: whatever its ID may read like, this is where it goes. */
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

/** Those that are in no namespace, and that the allowed namespaces therefore do not bound. */
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
