import { type KubeObject, printKey, type ResourceKey } from "@weir/kube";
import type { ResourceEvent } from "./resource-cache.ts";

/** Which object owns which, by owner references; updated with the events of a cache. */
export class Ownership {
  readonly #children = new Map<string, Map<string, ResourceKey>>();

  apply({ key, before, after }: ResourceEvent): void {
    for (const uid of ownersOf(before)) {
      this.#remove(uid, key);
    }
    for (const uid of ownersOf(after)) {
      this.#add(uid, key);
    }
  }

  /** The objects with the given uid as an owner. */
  childrenOf(uid: string): Iterable<ResourceKey> {
    return this.#children.get(uid)?.values() ?? [];
  }

  #add(uid: string, key: ResourceKey): void {
    const children = this.#children.get(uid) ?? new Map<string, ResourceKey>();
    this.#children.set(uid, children.set(printKey(key), key));
  }

  #remove(uid: string, key: ResourceKey): void {
    const children = this.#children.get(uid);
    if (children?.delete(printKey(key)) === true && children.size === 0) {
      this.#children.delete(uid);
    }
  }
}

function ownersOf(object: KubeObject | undefined): readonly string[] {
  return object?.metadata.ownerReferences?.map(({ uid }) => uid) ?? [];
}
