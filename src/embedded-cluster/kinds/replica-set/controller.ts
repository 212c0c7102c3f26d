import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import { type Controller, keyOfEvent, partsOfKey } from "../../controllers/controller.ts";
import { claim, controllerOf, type Owned, ownerKeys, read } from "../../controllers/owned.ts";
import type { OwnerIndex } from "../../controllers/owner-index.ts";
import { setCounts } from "../../controllers/status-counts.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
import { ensureTree, isTree, numberAt, stringAt, stringMapAt, treeAt } from "../../tree.ts";
import { byUselessness, countPods, isActive, wantedReplicas } from "../pod/pod-facts.ts";
import { podFromTemplate } from "../pod/pod-template.ts";

/** Sees to it that a ReplicaSet, or a ReplicationController, has the pods that it wants. */
export class ReplicaSetController implements Controller {
  readonly name: string;
  readonly #writer: ClusterWriter;
  readonly #index: OwnerIndex;
  readonly #bucket: string;

  constructor(
    writer: ClusterWriter,
    index: OwnerIndex,
    bucket: "replicasets.apps" | "replicationcontrollers",
  ) {
    this.name = bucket;
    this.#writer = writer;
    this.#index = index;
    this.#bucket = bucket;
  }

  keysOf(event: StoreEvent): readonly string[] {
    const { object, previous } = event;
    if (object.bucket === this.#bucket) {
      return [keyOfEvent(event)];
    }
    if (object.bucket !== "pods") {
      return [];
    }
    const owners = [...object.owners, ...(previous?.owners ?? [])].map((uid) => this.#index.get(uid));
    return object.owners.length === 0 ? this.#keysOfAll(object.namespace) : ownerKeys(owners, this.#bucket);
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = partsOfKey(key);
    const stored = this.#writer.context.store.get(this.#bucket, namespace, name);
    if (stored === undefined) {
      return undefined;
    }
    const set = read(stored);
    const pods = claim(this.#writer, this.#index, withSelector(set), "pods");
    if (!stored.deleting) {
      this.#scale(set, pods.filter(isActive));
    }
    return this.#report(set);
  }

  /** A pod that nobody owns may be one that a set of its namespace selects. */
  #keysOfAll(namespace: string): readonly string[] {
    const { store } = this.#writer.context;
    return store
      .bucket(this.#bucket)
      .list(namespace)
      .map((set) => `${set.namespace}/${set.name}`);
  }

  #scale({ tree }: Owned, pods: readonly Owned[]): void {
    const missing = wantedReplicas(tree) - pods.length;
    const template = treeAt(tree, "spec", "template") ?? {};
    for (let count = 0; count < missing; count++) {
      this.#writer.create(podFromTemplate(tree, template));
    }
    if (missing < 0) {
      const doomed = [...pods].sort(byUselessness).slice(0, -missing);
      doomed.forEach(({ stored }) => this.#writer.delete(stored));
    }
  }

  #report({ stored, tree }: Owned): number | undefined {
    const { clock } = this.#writer.context;
    const pods = this.#index
      .dependentsOf(stored.uid)
      .filter(({ bucket }) => bucket === "pods")
      .map(read)
      .filter((pod) => isActive(pod) && stringAt(controllerOf(pod.tree), "uid") === stored.uid);
    const { ready, available, next } = countPods(
      pods,
      numberAt(tree, "spec", "minReadySeconds") ?? 0,
      clock.now(),
    );
    const labels = stringMapAt(tree, "spec", "template", "metadata", "labels");
    const labelled = pods.filter((pod) =>
      [...labels].every(([key, value]) => pod.stored.labels[key] === value),
    );
    const counts = {
      replicas: pods.length,
      fullyLabeledReplicas: labelled.length,
      readyReplicas: ready,
      availableReplicas: available,
      observedGeneration: numberAt(tree, "metadata", "generation") ?? 0,
    };
    this.#writer.update(stored, "status", (next) =>
      setCounts(ensureTree(next, "status"), counts, ["replicas"]),
    );
    return next;
  }
}

/** The selector of a ReplicationController is but a map of labels. */
function withSelector({ stored, tree }: Owned): Owned {
  const selector = treeAt(tree, "spec", "selector");
  const isPlain = stringAt(tree, "kind") === "ReplicationController";
  return isPlain && isTree(selector)
    ? { stored, tree: { ...tree, spec: { ...treeAt(tree, "spec"), selector: { matchLabels: selector } } } }
    : { stored, tree };
}
