import { clusterScope, makeResourceId, type ResourceId } from "@weir/flux";
import type { ResourceKey } from "@weir/kube";

/** The resource ID for a key; without a namespace, it's cluster-scoped. */
export function idOf({ namespace, kind, name }: ResourceKey): ResourceId {
  return makeResourceId(namespace === "" ? clusterScope : namespace, kind, name);
}
