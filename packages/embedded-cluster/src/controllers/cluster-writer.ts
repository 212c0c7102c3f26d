/** How the cluster itself writes: by the rules that hold for clients, but without a request. */
import { KubeApiError } from "@weir/kube";
import type { ApiContext } from "../api/api-context.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";
import { ensureTree, stringAt, type Tree } from "../tree.ts";
import { createObject } from "../verbs/create.ts";
import { type DeleteOptions, deleteObject } from "../verbs/delete.ts";
import { updateObject } from "../verbs/update.ts";

/** A deletion that asks for nothing special. */
export const plainDeletion: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  propagation: "Background",
  oldStyleCascade: false,
  uid: undefined,
  resourceVersion: undefined,
};

export class ClusterWriter {
  readonly context: ApiContext;
  readonly #manager: string;

  /** `manager` is the field manager under which it writes, e.g. "kube-controller-manager". */
  constructor(context: ApiContext, manager: string) {
    this.context = context;
    this.#manager = manager;
  }

  /** Makes an object that says its kind. Returns undefined where the name is taken. Throws KubeApiError. */
  create(object: Tree): StoredObject | undefined {
    const resource = this.#resourceOf(stringAt(object, "apiVersion"), stringAt(object, "kind"));
    const namespace = stringAt(object, "metadata", "namespace");
    // Asked first: what a name or address is given to must not be drawn twice by one that is refused.
    if (this.context.store.get(resource.bucket, namespace, stringAt(object, "metadata", "name"))) {
      return undefined;
    }
    const decoded = resource.codec.decode(object).object;
    resource.codec.setDefaults(decoded);
    try {
      return createObject(this.context, { resource, namespace, object: decoded, options: this.#options() })
        .stored;
    } catch (error) {
      if (error instanceof KubeApiError && error.status.reason === "AlreadyExists") {
        return undefined;
      }
      throw error;
    }
  }

  /** Changes an object, or its status. `change` works on a copy; one that leaves it as it is writes nothing. */
  update(current: StoredObject, subresource: "" | "status", change: (object: Tree) => void): StoredObject {
    const resource = this.resourceOfStored(current);
    const next = treeOf(current);
    change(next);
    const update = { resource, subresource, current, options: this.#options() };
    return updateObject(this.context, update, next).stored ?? current;
  }

  /** Changes what no client may change, e.g. the node of a pod: no rule is asked. */
  overwrite(current: StoredObject, change: (object: Tree) => void): StoredObject {
    const next = treeOf(current);
    change(next);
    return this.context.store.put(current.bucket, next, current);
  }

  /** Removes a finalizer of an object, where it has it. */
  removeFinalizer(current: StoredObject, finalizer: string): void {
    if (current.finalizers.includes(finalizer)) {
      this.update(current, "", (tree) => {
        const kept = current.finalizers.filter((name) => name !== finalizer);
        ensureTree(tree, "metadata")["finalizers"] = kept.length === 0 ? undefined : kept;
      });
    }
  }

  /** Deletes an object as that version of it or any later one. */
  delete(current: StoredObject, options: Partial<DeleteOptions> = {}): void {
    const resource = this.resourceOfStored(current);
    deleteObject(this.context, { resource, current, options: { ...plainDeletion, ...options } });
  }

  /** The resource in the version in which the object is kept. */
  resourceOfStored(object: StoredObject): ServedResource {
    const found = this.context.registry.ofStored(object.bucket, object.apiVersion);
    if (found === undefined) {
      throw new Error(`${object.bucket} in version ${object.apiVersion} is not served`);
    }
    return found;
  }

  #resourceOf(apiVersion: string, kind: string): ServedResource {
    const found = this.context.registry.ofKind(apiVersion, kind);
    if (found === undefined) {
      throw new Error(`${kind} in version ${apiVersion} is not served`);
    }
    return found;
  }

  #options() {
    return { dryRun: false, fieldManager: this.#manager };
  }
}
