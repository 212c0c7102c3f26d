/**
 * Deletes what nobody owns any more, lets owners wait for what they own (foreground), or frees it (orphan): as
 * Kubernetes' garbage collector does. A key is the uid of an object, there or gone.
 */
import type { StoreEvent } from "../storage/bucket.ts";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";
import { ensureTree, isTrueAt, stringAt, type Tree, treesAt } from "../tree.ts";
import type { ClusterWriter } from "./cluster-writer.ts";
import type { Controller } from "./controller.ts";
import type { OwnerIndex } from "./owner-index.ts";

const foreground = "foregroundDeletion";
const orphan = "orphan";

export class GarbageCollector implements Controller {
  readonly name = "garbage-collector";
  readonly #writer: ClusterWriter;
  readonly #owners: OwnerIndex;

  constructor(writer: ClusterWriter, owners: OwnerIndex) {
    this.#writer = writer;
    this.#owners = owners;
  }

  keysOf({ type, object, previous }: StoreEvent): readonly string[] {
    if (type === "DELETED") {
      return [object.uid, ...object.owners];
    }
    const isWaiting =
      object.deleting && object.finalizers.some((name) => name === foreground || name === orphan);
    const isNewlyOwned = object.owners.length > 0 && previous?.owners.join() !== object.owners.join();
    // An owner that waits for its dependents looks again when one of them has changed.
    return isWaiting || isNewlyOwned ? [object.uid] : [];
  }

  reconcile(uid: string): undefined {
    const object = this.#owners.get(uid);
    if (object === undefined) {
      this.#owners.dependentsOf(uid).forEach((dependent) => this.#judge(dependent));
    } else if (object.deleting && object.finalizers.includes(orphan)) {
      this.#free(object);
    } else if (object.deleting && object.finalizers.includes(foreground)) {
      this.#waitForDependents(object);
    } else {
      this.#judge(object);
    }
  }

  /** Removes the owner from its dependents, then lets it go. */
  #free(owner: StoredObject): void {
    for (const dependent of this.#owners.dependentsOf(owner.uid)) {
      this.#disown(dependent, (reference) => stringAt(reference, "uid") === owner.uid);
    }
    this.#writer.removeFinalizer(owner, orphan);
  }

  /** Deletes the dependents; when none is left that blocks the deletion of its owner, the owner goes. */
  #waitForDependents(owner: StoredObject): void {
    for (const dependent of this.#owners.dependentsOf(owner.uid)) {
      if (!dependent.deleting) {
        this.#judge(dependent);
      }
    }
    const isBlocked = this.#owners
      .dependentsOf(owner.uid)
      .some((dependent) => referencesOf(dependent).some((reference) => blocks(reference, owner.uid)));
    if (!isBlocked) {
      this.#writer.removeFinalizer(owner, foreground);
    }
  }

  /** Deletes an object whose owners are all gone, or wait for it to go. */
  #judge(object: StoredObject): void {
    const references = referencesOf(object);
    if (object.deleting || references.length === 0) {
      return;
    }
    const states = references.map((reference) => this.#stateOf(reference, object));
    if (states.includes("solid")) {
      if (states.some((state) => state !== "solid")) {
        this.#disown(object, (_, index) => states[index] !== "solid");
      }
      return;
    }
    const isAwaited = states.includes("waiting");
    if (isAwaited && this.#owners.dependentsOf(object.uid).length > 0) {
      this.#writer.delete(object, { propagation: "Foreground" });
    } else {
      this.#writer.delete(object, { propagation: inheritedPolicy(object) });
    }
  }

  #stateOf(reference: Tree, dependent: StoredObject): "solid" | "waiting" | "absent" {
    const { registry, store } = this.#writer.context;
    const resource = registry.ofKind(stringAt(reference, "apiVersion"), stringAt(reference, "kind"));
    if (resource === undefined) {
      // Of a kind that is not served nobody can say that the owner is gone.
      return "solid";
    }
    const namespace = resource.namespaced ? dependent.namespace : "";
    const owner = store.get(resource.bucket, namespace, stringAt(reference, "name"));
    if (owner === undefined || owner.uid !== stringAt(reference, "uid")) {
      return "absent";
    }
    return owner.deleting && owner.finalizers.includes(foreground) ? "waiting" : "solid";
  }

  #disown(object: StoredObject, isLost: (reference: Tree, index: number) => boolean): void {
    this.#writer.update(object, "", (tree) => {
      const kept = treesAt(tree, "metadata", "ownerReferences").filter(
        (reference, index) => !isLost(reference, index),
      );
      ensureTree(tree, "metadata")["ownerReferences"] = kept.length === 0 ? undefined : kept;
    });
  }
}

function referencesOf(object: StoredObject): readonly Tree[] {
  return treesAt(treeOf(object), "metadata", "ownerReferences");
}

function blocks(reference: Tree, uid: string): boolean {
  return stringAt(reference, "uid") === uid && isTrueAt(reference, "blockOwnerDeletion");
}

function inheritedPolicy({ finalizers }: StoredObject): "Orphan" | "Foreground" | "Background" {
  if (finalizers.includes(orphan)) {
    return "Orphan";
  }
  return finalizers.includes(foreground) ? "Foreground" : "Background";
}
