/**
 * Ownership trees: takes live objects, and returns trees of the objects that they own, e.g. a Deployment with
 * its ReplicaSets and their Pods, each with its health.
 */
import { groupOf, type KubeObject, keyOf, printKey } from "@weir/kube";
import { inferredOwnershipsOf } from "./cache/inferred-owners.ts";
import { healthOf } from "./health/health.ts";
import type { Health } from "./health/health-status.ts";

/** A live object and the objects that it owns. */
export interface ResourceNode {
  readonly object: KubeObject;
  /** Undefined if its kind has none. */
  readonly health: Health | undefined;
  /** Sorted by kind and name. */
  readonly children: readonly ResourceNode[];
}

/**
 * The tree of each root, in order. `others` are the objects that may be owned, by owner references or by
 * ownership that Kubernetes doesn't record; cycles of owners are followed once.
 */
export function resourceTrees(
  roots: readonly KubeObject[],
  others: Iterable<KubeObject>,
): readonly ResourceNode[] {
  const owned = new Owned([...others]);
  return roots.map((root) => nodeOf(root, owned, new Set()));
}

function nodeOf(object: KubeObject, owned: Owned, above: ReadonlySet<string>): ResourceNode {
  const path = new Set([...above, printKey(keyOf(object))]);
  const children = owned.by(object).filter((child) => !path.has(printKey(keyOf(child))));
  return {
    object,
    health: healthOf(object),
    children: children.toSorted(compareObjects).map((child) => nodeOf(child, owned, path)),
  };
}

/** Objects by their owner. */
class Owned {
  readonly #byOwner = new Map<string, KubeObject[]>();
  readonly #byPlace = new Map<string, KubeObject[]>();

  constructor(objects: readonly KubeObject[]) {
    for (const object of objects) {
      object.metadata.ownerReferences?.forEach(({ uid }) => add(this.#byOwner, uid, object));
      add(this.#byPlace, placeOf(object, groupOf(object.apiVersion), object.kind), object);
    }
  }

  by(owner: KubeObject): readonly KubeObject[] {
    const said = this.#byOwner.get(owner.metadata.uid ?? "") ?? [];
    const unsaid = inferredOwnershipsOf(keyOf(owner)).flatMap(({ child, owns }) =>
      (this.#byPlace.get(placeOf(owner, child.group, child.kind)) ?? []).filter((each) => owns(owner, each)),
    );
    return [...new Map([...said, ...unsaid].map((object) => [printKey(keyOf(object)), object])).values()];
  }
}

/** A kind in the namespace of an object. */
function placeOf({ metadata }: KubeObject, group: string, kind: string): string {
  return `${group}/${kind}/${metadata.namespace ?? ""}`;
}

function add(lists: Map<string, KubeObject[]>, key: string, object: KubeObject): void {
  const list = lists.get(key) ?? [];
  list.push(object);
  lists.set(key, list);
}

function compareObjects(a: KubeObject, b: KubeObject): number {
  const [first, second] = [a, b].map((object) => `${object.kind}/${object.metadata.name ?? ""}`);
  return (first ?? "") < (second ?? "") ? -1 : 1;
}
