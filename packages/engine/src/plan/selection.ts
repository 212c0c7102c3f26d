import type { ResourceKey } from "@weir/kube";

/** Selects one object of a selective sync. */
export interface ObjectSelector {
  /** "" or absent: the core group. */
  readonly group?: string;
  readonly kind: string;
  /** "" or absent: any namespace, or none. */
  readonly namespace?: string;
  readonly name: string;
}

/** True if the object is to be synced; without a selection, every object is. */
export function isSelected(key: ResourceKey, selection: readonly ObjectSelector[] | undefined): boolean {
  return selection?.some((selector) => selects(selector, key)) ?? true;
}

function selects({ group = "", kind, namespace = "", name }: ObjectSelector, key: ResourceKey): boolean {
  const isThere = namespace === "" || namespace === key.namespace;
  return isThere && name === key.name && kind === key.kind && group === key.group;
}
