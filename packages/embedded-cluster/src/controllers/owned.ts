/** What belongs to a controller: by its owner reference, or because its selector selects what nobody owns. */
import { labelSelectorOf } from "@weir/kube";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";
import { ensureTree, isTrueAt, listAt, stringAt, type Tree, treeAt, treesAt } from "../tree.ts";
import type { ClusterWriter } from "./cluster-writer.ts";
import type { OwnerIndex } from "./owner-index.ts";

/** What a controller of owners works with. */
export interface OwnerTools {
  readonly writer: ClusterWriter;
  readonly index: OwnerIndex;
}

/** An object as it is stored and as it reads. */
export interface Owned {
  readonly stored: StoredObject;
  readonly tree: Tree;
}

/** Reads an object. */
export function read(stored: StoredObject): Owned {
  return { stored, tree: treeOf(stored) };
}

/** What an owner owns, in a bucket. */
export function ownedBy({ index }: OwnerTools, uid: string, bucket: string): readonly Owned[] {
  return index
    .dependentsOf(uid)
    .filter((stored) => stored.bucket === bucket)
    .map(read);
}

/** The reference by which something belongs to its controller. */
export function controllerReference(owner: Tree): Tree {
  return {
    apiVersion: stringAt(owner, "apiVersion"),
    kind: stringAt(owner, "kind"),
    name: stringAt(owner, "metadata", "name"),
    uid: stringAt(owner, "metadata", "uid"),
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The owner that manages an object; undefined where it has none. */
export function controllerOf(object: Tree): Tree | undefined {
  return treesAt(object, "metadata", "ownerReferences").find((reference) =>
    isTrueAt(reference, "controller"),
  );
}

/**
 * What belongs to a controller. On the way it takes what its selector selects and nobody owns, and frees what it
 * owns but selects no more; one that is to go itself takes nothing.
 */
export function claim(tools: OwnerTools, owner: Owned, bucket: string): Owned[] {
  const selector = labelSelectorOf(treeAt(owner.tree, "spec", "selector") ?? {});
  const own: Owned[] = [];
  for (const stored of tools.index.dependentsOf(owner.stored.uid)) {
    const object = stored.bucket === bucket ? read(stored) : undefined;
    if (object === undefined || stringAt(controllerOf(object.tree), "uid") !== owner.stored.uid) {
      continue;
    }
    if (selector(stored.labels) || stored.deleting) {
      own.push(object);
    } else {
      release(tools, object, owner);
    }
  }
  return owner.stored.deleting ? own : [...own, ...adopt(tools, owner, bucket)];
}

function adopt({ writer, index }: OwnerTools, owner: Owned, bucket: string): Owned[] {
  const selector = labelSelectorOf(treeAt(owner.tree, "spec", "selector") ?? {});
  return index
    .freeIn(bucket, owner.stored.namespace)
    .filter((stored) => !stored.deleting && selector(stored.labels))
    .map((stored) =>
      read(
        writer.update(stored, "", (tree) => {
          const references = listAt(tree, "metadata", "ownerReferences");
          ensureTree(tree, "metadata")["ownerReferences"] = [...references, controllerReference(owner.tree)];
        }),
      ),
    );
}

function release({ writer }: OwnerTools, object: Owned, owner: Owned): void {
  writer.update(object.stored, "", (tree) => {
    const kept = treesAt(tree, "metadata", "ownerReferences").filter(
      (reference) => stringAt(reference, "uid") !== owner.stored.uid,
    );
    ensureTree(tree, "metadata")["ownerReferences"] = kept.length === 0 ? undefined : kept;
  });
}
