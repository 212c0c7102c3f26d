/** Binds claims to volumes, makes volumes for claims that find none, and protects both while they are in use. */

import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import type { Controller } from "../../controllers/controller.ts";
import { type Owned, read } from "../../controllers/owned.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
import { type StoredObject, treeOf } from "../../storage/stored-object.ts";
import { cloneNode, ensureTree, nodeAt, stringAt, stringsAt, type Tree, treeAt } from "../../tree.ts";
import { isMore } from "../../validate/checks.ts";
import { isFinished } from "../pod/pod-facts.ts";
import { claimsOf } from "../pod/scheduling.ts";

const claims = "persistentvolumeclaims";

const volumes = "persistentvolumes";

const claimProtection = "kubernetes.io/pvc-protection";

const volumeProtection = "kubernetes.io/pv-protection";

/** A key is the path of a claim ("claim/namespace/name") or of a volume ("volume//name"). */
export class VolumeController implements Controller {
  readonly name = "volume";
  readonly #writer: ClusterWriter;

  constructor(writer: ClusterWriter) {
    this.#writer = writer;
  }

  keysOf({ object, type }: StoreEvent): readonly string[] {
    switch (object.bucket) {
      case claims: {
        const volume = stringAt(treeOf(object), "spec", "volumeName");
        return [claimKey(object), ...(volume === "" ? [] : [`volume//${volume}`])];
      }
      case volumes:
        return [`volume//${object.name}`, ...this.#unbound()];
      case "pods":
        // A pod that is gone uses its claims no more.
        return type === "DELETED"
          ? claimsOf(treeOf(object)).map((name) => `claim/${object.namespace}/${name}`)
          : [];
      default:
        return [];
    }
  }

  reconcile(key: string): undefined {
    const [kind, namespace = "", name = ""] = key.split("/");
    const stored = this.#writer.context.store.get(kind === "claim" ? claims : volumes, namespace, name);
    if (stored === undefined) {
      return;
    }
    if (kind === "claim") {
      this.#reconcileClaim(read(stored));
    } else {
      this.#reconcileVolume(read(stored));
    }
  }

  #unbound(): readonly string[] {
    return this.#writer.context.store
      .bucket(claims)
      .list("")
      .filter((claim) => stringAt(treeOf(claim), "status", "phase") === "Pending")
      .map(claimKey);
  }

  #reconcileClaim(claim: Owned): void {
    if (claim.stored.deleting) {
      if (!this.#isMounted(claim.stored)) {
        this.#writer.removeFinalizer(claim.stored, claimProtection);
      }
      return;
    }
    if (stringAt(claim.tree, "status", "phase") !== "Bound") {
      this.#bind(claim, this.#volumeFor(claim));
    }
  }

  #isMounted({ namespace, name }: StoredObject): boolean {
    return this.#writer.context.store
      .bucket("pods")
      .list(namespace)
      .map((pod) => treeOf(pod))
      .some((pod) => !isFinished(pod) && claimsOf(pod).includes(name));
  }

  /** The volume that a claim names, or the smallest that suits it, or one made for it. */
  #volumeFor(claim: Owned): Owned | undefined {
    const { store } = this.#writer.context;
    const named = stringAt(claim.tree, "spec", "volumeName");
    if (named !== "") {
      const stored = store.get(volumes, "", named);
      return stored === undefined ? undefined : read(stored);
    }
    const [smallest] = store
      .bucket(volumes)
      .list("")
      .map(read)
      .filter((volume) => suits(volume, claim.tree))
      .sort((a, b) => (isMore(sizeOf(a.tree), sizeOf(b.tree)) ? 1 : -1));
    if (smallest !== undefined) {
      return smallest;
    }
    const made = this.#writer.create(volumeMadeFor(claim.tree));
    return made === undefined ? undefined : read(made);
  }

  #bind(claim: Owned, volume: Owned | undefined): void {
    if (volume === undefined) {
      return;
    }
    const { stored, tree } = claim;
    const reference = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      namespace: stored.namespace,
      name: stored.name,
      uid: stored.uid,
      resourceVersion: String(stored.revision),
    };
    this.#writer.update(volume.stored, "", (next) => {
      ensureTree(next, "spec")["claimRef"] = reference;
    });
    const bound = this.#writer.update(stored, "", (next) => {
      ensureTree(next, "spec")["volumeName"] = volume.stored.name;
      ensureTree(ensureTree(next, "metadata"), "annotations")["pv.kubernetes.io/bind-completed"] = "yes";
    });
    this.#writer.update(bound, "status", (next) => {
      next["status"] = {
        phase: "Bound",
        accessModes: stringsAt(tree, "spec", "accessModes"),
        capacity: cloneNode(treeAt(volume.tree, "spec", "capacity") ?? {}),
      };
    });
  }

  #reconcileVolume({ stored, tree }: Owned): void {
    const phase = this.#phaseOf(tree);
    if (phase === "Released" && stringAt(tree, "spec", "persistentVolumeReclaimPolicy") === "Delete") {
      this.#writer.delete(stored);
    }
    const current = this.#writer.context.store.get(volumes, "", stored.name);
    if (current?.deleting === true && phase !== "Bound") {
      this.#writer.removeFinalizer(current, volumeProtection);
    } else if (current !== undefined && stringAt(tree, "status", "phase") !== phase) {
      this.#writer.update(current, "status", (next) => {
        ensureTree(next, "status")["phase"] = phase;
      });
    }
  }

  #phaseOf(volume: Tree): "Available" | "Bound" | "Released" {
    const reference = treeAt(volume, "spec", "claimRef");
    const uid = stringAt(reference, "uid");
    if (reference === undefined || uid === "") {
      return "Available";
    }
    const { store } = this.#writer.context;
    const claim = store.get(claims, stringAt(reference, "namespace"), stringAt(reference, "name"));
    return claim?.uid === uid ? "Bound" : "Released";
  }
}

function claimKey({ namespace, name }: StoredObject): string {
  return `claim/${namespace}/${name}`;
}

function sizeOf(volume: Tree): Tree[string] {
  return nodeAt(volume, "spec", "capacity", "storage");
}

/** A volume suits a claim when it is free, of its class, large enough, and may be used in the same ways. */
function suits({ stored, tree }: Owned, claim: Tree): boolean {
  const reference = treeAt(tree, "spec", "claimRef");
  const isFree =
    reference === undefined ||
    (stringAt(reference, "uid") === "" &&
      stringAt(reference, "namespace") === stringAt(claim, "metadata", "namespace") &&
      stringAt(reference, "name") === stringAt(claim, "metadata", "name"));
  const modes = stringsAt(tree, "spec", "accessModes");
  return (
    !stored.deleting &&
    isFree &&
    stringAt(tree, "spec", "storageClassName") === stringAt(claim, "spec", "storageClassName") &&
    stringAt(tree, "spec", "volumeMode") === stringAt(claim, "spec", "volumeMode") &&
    !isMore(nodeAt(claim, "spec", "resources", "requests", "storage"), sizeOf(tree)) &&
    stringsAt(claim, "spec", "accessModes").every((mode) => modes.includes(mode))
  );
}

/** What a provisioner would make: a volume that goes with its claim. */
function volumeMadeFor(claim: Tree): Tree {
  const uid = stringAt(claim, "metadata", "uid");
  const { accessModes, storageClassName, volumeMode } = treeAt(claim, "spec") ?? {};
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: `pvc-${uid}`,
      annotations: { "pv.kubernetes.io/provisioned-by": "embedded" },
    },
    spec: {
      accessModes: cloneNode(accessModes ?? []),
      capacity: { storage: nodeAt(claim, "spec", "resources", "requests", "storage") ?? "1Gi" },
      hostPath: { path: `/var/lib/embedded/pvc-${uid}` },
      persistentVolumeReclaimPolicy: "Delete",
      ...(storageClassName === undefined ? {} : { storageClassName }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
    },
  };
}
