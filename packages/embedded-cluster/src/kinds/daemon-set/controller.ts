import type { Controller } from "../../controllers/controller.ts";
import {
  forgetRevisions,
  type Revision,
  revisionLabel,
  syncRevisions,
} from "../../controllers/controller-revisions.ts";
import { claim, type Owned, type OwnerTools, ownedBy } from "../../controllers/owned.ts";
import { ownedController } from "../../controllers/owned-controller.ts";
import { setCounts } from "../../controllers/status-counts.ts";
import { ensureTree, nodeAt, numberAt, stringAt, stringMapAt, type Tree, treeAt } from "../../tree.ts";
import { countOf } from "../deployment/rollout.ts";
import { countPods, isActive, isReady } from "../pod/pod-facts.ts";
import { podFromTemplate } from "../pod/pod-template.ts";

/** Keeps one pod of each DaemonSet on each node that its template selects. */
export function daemonSetController(tools: OwnerTools): Controller {
  return ownedController(tools, {
    name: "daemon-set",
    bucket: "daemonsets.apps",
    owned: "pods",
    concernsAll: "nodes",
    reconcile,
  });
}

function reconcile(tools: OwnerTools, set: Owned): number | undefined {
  const revision = syncRevisions(tools, set).at(-1);
  const pods = claim(tools, set, "pods");
  if (revision === undefined) {
    return undefined;
  }
  const nodes = nodesOf(tools, set.tree);
  if (!set.stored.deleting) {
    place(tools, set, pods, nodes, revision);
    update(tools, set, pods.filter(isActive), revision);
  }
  return report(tools, set, nodes, revision);
}

function nodesOf(tools: OwnerTools, set: Tree): readonly string[] {
  const selector = stringMapAt(set, "spec", "template", "spec", "nodeSelector");
  return tools.writer.context.store
    .bucket("nodes")
    .list("")
    .filter(({ labels }) => [...selector].every(([key, value]) => labels[key] === value))
    .map(({ name }) => name);
}

function place(
  tools: OwnerTools,
  set: Owned,
  pods: readonly Owned[],
  nodes: readonly string[],
  revision: Revision,
): void {
  const served = new Map(pods.map((pod) => [nodeOf(pod), pod]));
  for (const node of nodes.filter((name) => !served.has(name))) {
    tools.writer.create(daemonPod(set.tree, node, revision));
  }
  for (const [node, pod] of served) {
    if (!pod.stored.deleting && (!nodes.includes(node) || !isActive(pod))) {
      tools.writer.delete(pod.stored);
    }
  }
}

/** Replaces pods of an outdated template, as many at a time as may be missing. */
function update(tools: OwnerTools, set: Owned, pods: readonly Owned[], revision: Revision): void {
  if (stringAt(set.tree, "spec", "updateStrategy", "type") !== "RollingUpdate") {
    return;
  }
  const most = nodeAt(set.tree, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable");
  const outdated = pods.filter(({ stored }) => stored.labels[revisionLabel] !== revision.hash);
  const missing = pods.filter(({ tree }) => !isReady(tree)).length;
  const room = Math.max(1, countOf(most, pods.length, Math.ceil)) - missing;
  const idle = outdated.filter(({ tree }) => !isReady(tree));
  const serving = outdated.filter(({ tree }) => isReady(tree)).slice(0, Math.max(0, room));
  [...idle, ...serving].forEach(({ stored }) => tools.writer.delete(stored));
}

function report(
  tools: OwnerTools,
  set: Owned,
  nodes: readonly string[],
  revision: Revision,
): number | undefined {
  const pods = ownedBy(tools, set.stored.uid, "pods").filter(isActive);
  const scheduled = pods.filter((pod) => nodes.includes(nodeOf(pod)));
  const minReady = numberAt(set.tree, "spec", "minReadySeconds") ?? 0;
  const { ready, available, next } = countPods(scheduled, minReady, tools.writer.context.clock.now());
  const counts = {
    currentNumberScheduled: scheduled.length,
    numberMisscheduled: pods.length - scheduled.length,
    desiredNumberScheduled: nodes.length,
    numberReady: ready,
    observedGeneration: numberAt(set.tree, "metadata", "generation") ?? 0,
    updatedNumberScheduled: scheduled.filter(({ stored }) => stored.labels[revisionLabel] === revision.hash)
      .length,
    numberAvailable: available,
    numberUnavailable: nodes.length - available,
  };
  tools.writer.update(set.stored, "status", (tree) =>
    setCounts(ensureTree(tree, "status"), counts, [
      "currentNumberScheduled",
      "numberMisscheduled",
      "desiredNumberScheduled",
      "numberReady",
    ]),
  );
  forgetRevisions(tools, set, new Set([revision.name]));
  return next;
}

function nodeOf({ tree }: Owned): string {
  return stringAt(tree, "spec", "nodeName");
}

function daemonPod(set: Tree, node: string, revision: Revision): Tree {
  const pod = podFromTemplate(set, treeAt(set, "spec", "template") ?? {});
  const generation = stringAt(set, "metadata", "annotations", "deprecated.daemonset.template.generation");
  ensureTree(pod, "spec")["nodeName"] = node;
  Object.assign(ensureTree(ensureTree(pod, "metadata"), "labels"), {
    [revisionLabel]: revision.hash,
    ...(generation === "" ? {} : { "pod-template-generation": generation }),
  });
  return pod;
}
