/**
 * Ownership trees: takes live objects, and returns trees of the objects that they own, e.g. a Deployment with
 * its ReplicaSets and their Pods, each with its health.
 */
import { type KubeObject, keyOf } from "@weir/kube";
import type { Health } from "../health/health-status.ts";
import type { ClusterCache } from "./cluster-cache.ts";
import { HeldObject } from "./held-object.ts";
import { claimsOf } from "./relations.ts";

/** A live object and the objects that it owns. */
export interface ResourceNode {
  /** Slim, unless it's held whole. */
  readonly object: KubeObject;
  /** Undefined if its kind has none, or if only its metadata was received. */
  readonly health: Health | undefined;
  /** Sorted by kind and name. */
  readonly children: readonly ResourceNode[];
}

const none: readonly ResourceNode[] = [];

/**
 * The tree of each root, in order, with the objects that are held, judged by the rules of the cache. A cycle of
 * owners is followed once. A root that isn't held is shown as it's given.
 */
export function resourceTrees(
  roots: readonly KubeObject[],
  cache: Pick<ClusterCache, "held" | "childrenOf" | "healthOf">,
): readonly ResourceNode[] {
  const above = new Set<string>();
  return roots.map((root) => nodeOf(heldAs(root, cache), cache, above));
}

function heldAs(root: KubeObject, cache: Pick<ClusterCache, "held" | "healthOf">): HeldObject {
  const held = cache.held(keyOf(root));
  return held !== undefined && held.object.metadata.uid === root.metadata.uid
    ? held
    : new HeldObject({
        object: root,
        isWhole: true,
        owners: [],
        claims: claimsOf(root),
        health: (object) => cache.healthOf(object),
      });
}

/** `above` has the uids between the root and the object. */
function nodeOf(held: HeldObject, cache: Pick<ClusterCache, "childrenOf">, above: Set<string>): ResourceNode {
  const { object, health } = held;
  const owned = cache.childrenOf(held);
  if (owned.length === 0) {
    return { object, health, children: none };
  }
  const { uid = "" } = object.metadata;
  above.add(uid);
  const children = owned
    .filter((child) => !above.has(child.object.metadata.uid ?? ""))
    .sort(compareHeld)
    .map((child) => nodeOf(child, cache, above));
  above.delete(uid);
  return { object, health, children };
}

function compareHeld({ object: one }: HeldObject, { object: other }: HeldObject): number {
  return one.kind === other.kind
    ? compareTexts(one.metadata.name ?? "", other.metadata.name ?? "")
    : compareTexts(one.kind, other.kind);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
