import { groupOf } from "./gvk.ts";
import type { KubeObject } from "./object.ts";

/** Which object is meant, whatever version of its API it is seen through. Cluster-scoped: namespace "". */
export interface ResourceKey {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** The key of an object as it says of itself. */
export function keyOf(object: KubeObject): ResourceKey {
  return {
    group: groupOf(object.apiVersion),
    kind: object.kind,
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name ?? "",
  };
}

/** A key as text, one to one: for maps, sorting and messages. */
export function printKey(key: ResourceKey): string {
  return `${key.group}/${key.kind}/${key.namespace}/${key.name}`;
}
