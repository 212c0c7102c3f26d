/** What belongs to a controller: by its owner reference, or because its selector selects what nobody owns. */
import { labelSelectorOf } from "../../kube/label-selector.ts";
import type { StoreEvent } from "../storage/bucket.ts";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";
import { ensureTree, isTrueAt, listAt, stringAt, type Tree, treeAt, treesAt } from "../tree.ts";
import type { ClusterWriter } from "./cluster-writer.ts";
import { keyOfEvent } from "./controller.ts";
import type { OwnerIndex } from "./owner-index.ts";

/** An object as it is stored and as it reads. */
export interface Owned {
  readonly stored: StoredObject;
  readonly tree: Tree;
}

/** Reads an object. */
export function read(stored: StoredObject): Owned {
  return { stored, tree: treeOf(stored) };
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
export function claim(writer: ClusterWriter, index: OwnerIndex, owner: Owned, bucket: string): Owned[] {
  const selector = labelSelectorOf(treeAt(owner.tree, "spec", "selector") ?? {});
  const own: Owned[] = [];
  for (const stored of index.dependentsOf(owner.stored.uid)) {
    const object = stored.bucket === bucket ? read(stored) : undefined;
    if (object === undefined || stringAt(controllerOf(object.tree), "uid") !== owner.stored.uid) {
      continue;
    }
    if (selector(stored.labels) || stored.deleting) {
      own.push(object);
    } else {
      release(writer, object, owner);
    }
  }
  return owner.stored.deleting ? own : [...own, ...adopt(writer, index, owner, bucket)];
}

function adopt(writer: ClusterWriter, index: OwnerIndex, owner: Owned, bucket: string): Owned[] {
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

function release(writer: ClusterWriter, object: Owned, owner: Owned): void {
  writer.update(object.stored, "", (tree) => {
    const kept = treesAt(tree, "metadata", "ownerReferences").filter(
      (reference) => stringAt(reference, "uid") !== owner.stored.uid,
    );
    ensureTree(tree, "metadata")["ownerReferences"] = kept.length === 0 ? undefined : kept;
  });
}

/** The keys of the controllers, of a kind, that a write to something they own or may own concerns. */
export function ownerKeys(owners: readonly (StoredObject | undefined)[], bucket: string): readonly string[] {
  return owners.flatMap((owner) => (owner?.bucket === bucket ? [`${owner.namespace}/${owner.name}`] : []));
}

/** Which owners of a bucket a write concerns: the owner itself, or those of what it owns in the bucket `owned`. */
export function concernedOwners(
  event: StoreEvent,
  { bucket, owned }: { readonly bucket: string; readonly owned: string },
  index: OwnerIndex,
): readonly string[] {
  const { object, previous } = event;
  if (object.bucket === bucket) {
    return [keyOfEvent(event)];
  }
  const owners = object.bucket === owned ? [...object.owners, ...(previous?.owners ?? [])] : [];
  return ownerKeys(
    owners.map((uid) => index.get(uid)),
    bucket,
  );
}
