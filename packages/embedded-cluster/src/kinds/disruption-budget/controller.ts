import { labelSelectorOf } from "@weir/kube";
import { timestamp } from "../../api/api-context.ts";
import { type Condition, setConditions, withFields } from "../../conditions.ts";
import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import { type Controller, keyOf, partsOfKey } from "../../controllers/controller.ts";
import { read } from "../../controllers/owned.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
import { ensureTree, nodeAt, numberAt, type Tree, treeAt } from "../../tree.ts";
import { countOf } from "../deployment/rollout.ts";
import { isActive, isReady } from "../pod/pod-facts.ts";

const bucket = "poddisruptionbudgets.policy";

/** Says in the status of PodDisruptionBudgets how many pods may be missing. */
export class DisruptionController implements Controller {
  readonly name = "disruption";
  readonly #writer: ClusterWriter;

  constructor(writer: ClusterWriter) {
    this.#writer = writer;
  }

  keysOf(event: StoreEvent): readonly string[] {
    const { object } = event;
    if (object.bucket === bucket) {
      return [keyOf(object)];
    }
    const { store } = this.#writer.context;
    return object.bucket === "pods" ? store.bucket(bucket).list(object.namespace).map(keyOf) : [];
  }

  reconcile(key: string): undefined {
    const { namespace, name } = partsOfKey(key);
    const { store, clock } = this.#writer.context;
    const stored = store.get(bucket, namespace, name);
    if (stored === undefined) {
      return;
    }
    const budget = read(stored).tree;
    const selector = treeAt(budget, "spec", "selector");
    const selects = selector === undefined ? () => false : labelSelectorOf(selector);
    const pods = store
      .bucket("pods")
      .list(namespace)
      .filter(({ labels }) => selects(labels))
      .map(read)
      .filter(isActive);
    const healthy = pods.filter(({ tree }) => isReady(tree)).length;
    this.#writer.update(stored, "status", (tree) => putStatus(tree, pods.length, healthy, timestamp(clock)));
  }
}

function putStatus(budget: Tree, expected: number, healthy: number, now: string): void {
  const status = ensureTree(budget, "status");
  const most = nodeAt(budget, "spec", "maxUnavailable");
  const least = nodeAt(budget, "spec", "minAvailable");
  const desired =
    most === undefined
      ? countOf(least, expected, Math.ceil)
      : Math.max(0, expected - countOf(most, expected, Math.ceil));
  const observedGeneration = numberAt(budget, "metadata", "generation") ?? 0;
  const allowed = expected === 0 ? 0 : Math.max(0, healthy - desired);
  Object.assign(status, {
    currentHealthy: healthy,
    desiredHealthy: desired,
    disruptionsAllowed: allowed,
    expectedPods: expected,
    observedGeneration,
  });
  const condition: Condition =
    allowed > 0
      ? { type: "DisruptionAllowed", status: "True", reason: "SufficientPods", message: "" }
      : { type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", message: "" };
  setConditions(status, now, withFields([condition], { observedGeneration }));
}
