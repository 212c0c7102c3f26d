/** Empties a namespace that is to go, and lets it go when it is empty. */

import { timestamp } from "../../api/api-context.ts";
import { setConditions } from "../../conditions.ts";
import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import type { Controller } from "../../controllers/controller.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
import { type StoredObject, treeOf } from "../../storage/stored-object.ts";
import { ensureTree, stringsAt } from "../../tree.ts";
import { deletionConditions } from "./namespace-conditions.ts";

const finalizer = "kubernetes";

export class NamespaceController implements Controller {
  readonly name = "namespace";
  readonly #writer: ClusterWriter;

  constructor(writer: ClusterWriter) {
    this.#writer = writer;
  }

  keysOf({ type, object }: StoreEvent): readonly string[] {
    if (object.bucket === "namespaces") {
      return object.deleting && type !== "DELETED" ? [object.name] : [];
    }
    // What goes, or loses a finalizer, may have been the last thing in its namespace.
    return object.namespace !== "" && type !== "ADDED" ? [object.namespace] : [];
  }

  reconcile(name: string): undefined {
    const namespace = this.#writer.context.store.get("namespaces", "", name);
    if (namespace?.deleting !== true) {
      return;
    }
    this.#contents(name)
      .filter((object) => !object.deleting)
      .forEach((object) => this.#writer.delete(object));
    const left = this.#contents(name);
    if (left.length === 0) {
      this.#finish(namespace);
    } else {
      this.#explain(namespace, left);
    }
  }

  #contents(namespace: string): readonly StoredObject[] {
    const { store } = this.#writer.context;
    return store.bucketNames().flatMap((bucket) => store.bucket(bucket).list(namespace));
  }

  #finish(namespace: StoredObject): void {
    const others = stringsAt(treeOf(namespace), "spec", "finalizers").filter((name) => name !== finalizer);
    if (others.length === 0 && namespace.finalizers.length === 0) {
      this.#writer.context.store.remove(namespace);
    } else {
      this.#writer.overwrite(namespace, (tree) => {
        ensureTree(tree, "spec")["finalizers"] = others.length === 0 ? undefined : others;
      });
    }
  }

  #explain(namespace: StoredObject, left: readonly StoredObject[]): void {
    const now = timestamp(this.#writer.context.clock);
    this.#writer.update(namespace, "status", (tree) => {
      setConditions(ensureTree(tree, "status"), now, deletionConditions(left));
    });
  }
}
