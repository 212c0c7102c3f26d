/** Empties a namespace that is to go, and lets it go when it is empty. */
import { timestamp } from "../../api/api-context.ts";
import { type Condition, setConditions } from "../../conditions.ts";
import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import type { Controller } from "../../controllers/controller.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
import { type StoredObject, treeOf } from "../../storage/stored-object.ts";
import { ensureTree, stringsAt } from "../../tree.ts";

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

/** What the status of a namespace says while it waits for its content to go. */
function deletionConditions(left: readonly StoredObject[]): readonly Condition[] {
  const finalizers = left.flatMap((object) => object.finalizers);
  return [
    {
      type: "NamespaceDeletionDiscoveryFailure",
      status: "False",
      reason: "ResourcesDiscovered",
      message: "All resources successfully discovered",
    },
    {
      type: "NamespaceDeletionGroupVersionParsingFailure",
      status: "False",
      reason: "ParsedGroupVersions",
      message: "All legacy kube types successfully parsed",
    },
    {
      type: "NamespaceDeletionContentFailure",
      status: "False",
      reason: "ContentDeleted",
      message: "All content successfully deleted, may be waiting on finalization",
    },
    {
      type: "NamespaceContentRemaining",
      status: "True",
      reason: "SomeResourcesRemain",
      message: `Some resources are remaining: ${counted(
        left.map(({ bucket }) => (bucket.includes(".") ? bucket : `${bucket}.`)),
        (bucket, count) => `${bucket} has ${count} resource instances`,
      )}`,
    },
    finalizers.length === 0
      ? {
          type: "NamespaceFinalizersRemaining",
          status: "False",
          reason: "ContentHasNoFinalizers",
          message: "All content-preserving finalizers finished",
        }
      : {
          type: "NamespaceFinalizersRemaining",
          status: "True",
          reason: "SomeFinalizersRemain",
          message: `Some content in the namespace has finalizers remaining: ${counted(
            finalizers,
            (name, count) => `${name} in ${count} resource instances`,
          )}`,
        },
  ];
}

function counted(names: readonly string[], print: (name: string, count: number) => string): string {
  const groups = Map.groupBy(names, (name) => name);
  return [...groups]
    .map(([name, all]) => print(name, all.length))
    .sort()
    .join(", ");
}
