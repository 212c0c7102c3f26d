import { clusterScope, makeResourceId, type ResourceId } from "@weir/flux";
import type { KubeObject } from "@weir/kube";

/** The resource ID of a live object; without a namespace, it's cluster-scoped. */
export function liveIdOf(object: KubeObject): ResourceId {
  const { namespace = clusterScope, name = "" } = object.metadata;
  return makeResourceId(namespace === "" ? clusterScope : namespace, object.kind, name);
}
