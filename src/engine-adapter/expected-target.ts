import type { Target } from "@weir/engine";
import { clusterScope, hasPolicy, partsOfResourceId, type Resource } from "@weir/flux";
import { toKubeObject } from "../manifests/kube-object.ts";

/**
 * The target that a resource will probably become, before its effective namespace is known; undefined if it may become
 * none. With allowed namespaces, a kind is only listed if it's certain that they include one of its resources: the
 * account may have no rights for others.
 */
export function expectedTarget(resource: Resource, allowed: ReadonlySet<string>): Target | undefined {
  const { namespace } = partsOfResourceId(resource.id);
  if (allowed.size > 0 && (namespace === clusterScope || !allowed.has(namespace))) {
    return undefined;
  }
  try {
    return { object: toKubeObject(resource), apply: !hasPolicy(resource.policies, "ignore") };
  } catch {
    // The sync reports it.
    return undefined;
  }
}
