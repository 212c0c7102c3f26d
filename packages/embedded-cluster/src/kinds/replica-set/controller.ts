import type { Controller } from "../../controllers/controller.ts";
import { claim, controllerOf, type Owned, type OwnerTools, ownedBy } from "../../controllers/owned.ts";
import { ownedController } from "../../controllers/owned-controller.ts";
import { setCounts } from "../../controllers/status-counts.ts";
import { ensureTree, isTree, numberAt, stringAt, stringMapAt, treeAt } from "../../tree.ts";
import { byUselessness, countPods, isActive, wantedReplicas } from "../pod/pod-facts.ts";
import { podFromTemplate } from "../pod/pod-template.ts";

/** Sees to it that ReplicaSets, or ReplicationControllers, have the pods that they want. */
export function replicaSetController(
  tools: OwnerTools,
  bucket: "replicasets.apps" | "replicationcontrollers",
): Controller {
  return ownedController(tools, { name: bucket, bucket, owned: "pods", adopts: true, reconcile });
}

function reconcile(tools: OwnerTools, set: Owned): number | undefined {
  const pods = claim(tools, withSelector(set), "pods");
  if (!set.stored.deleting) {
    scale(tools, set, pods.filter(isActive));
  }
  return report(tools, set);
}

function scale(tools: OwnerTools, { tree }: Owned, pods: readonly Owned[]): void {
  const missing = wantedReplicas(tree) - pods.length;
  const template = treeAt(tree, "spec", "template") ?? {};
  for (let count = 0; count < missing; count++) {
    tools.writer.create(podFromTemplate(tree, template));
  }
  if (missing < 0) {
    const doomed = [...pods].sort(byUselessness).slice(0, -missing);
    doomed.forEach(({ stored }) => tools.writer.delete(stored));
  }
}

function report(tools: OwnerTools, { stored, tree }: Owned): number | undefined {
  const { clock } = tools.writer.context;
  const pods = ownedBy(tools, stored.uid, "pods").filter(
    (pod) => isActive(pod) && stringAt(controllerOf(pod.tree), "uid") === stored.uid,
  );
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
  tools.writer.update(stored, "status", (next) =>
    setCounts(ensureTree(next, "status"), counts, ["replicas"]),
  );
  return next;
}

/** The selector of a ReplicationController is but a map of labels. */
function withSelector({ stored, tree }: Owned): Owned {
  const selector = treeAt(tree, "spec", "selector");
  const isPlain = stringAt(tree, "kind") === "ReplicationController";
  return isPlain && isTree(selector)
    ? { stored, tree: { ...tree, spec: { ...treeAt(tree, "spec"), selector: { matchLabels: selector } } } }
    : { stored, tree };
}
