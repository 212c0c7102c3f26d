import { groupOf } from "./gvk.ts";
import type { KubeObject } from "./object.ts";

/** Identifies an object independently of its API version. Cluster-scoped objects have namespace "". */
export interface ResourceKey {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** The key of an object. */
export function keyOf(object: KubeObject): ResourceKey {
  return {
    group: groupOf(object.apiVersion),
    kind: object.kind,
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name ?? "",
  };
}

/** A unique text form of a key, for maps, sorting, and messages. */
export function printKey(key: ResourceKey): string {
  return `${key.group}/${key.kind}/${key.namespace}/${key.name}`;
}
