import type { Controller } from "../../controllers/controller.ts";
import {
  forgetRevisions,
  type Revision,
  revisionLabel,
  syncRevisions,
} from "../../controllers/controller-revisions.ts";
import { claim, type Owned, type OwnerTools, read } from "../../controllers/owned.ts";
import { ownedController } from "../../controllers/owned-controller.ts";
import { setCounts } from "../../controllers/status-counts.ts";
import { ensureTree, numberAt, stringAt } from "../../tree.ts";
import { countPods, isActive, isReady } from "../pod/pod-facts.ts";
import { isOldTemplate, planStateful } from "./stateful-plan.ts";
import { claimsFor, ordinalOf, statefulPod, wantedOrdinals } from "./stateful-pod.ts";

interface Revisions {
  readonly current: Revision;
  readonly update: Revision;
}

/** Keeps the numbered pods of StatefulSets. */
export function statefulSetController(tools: OwnerTools): Controller {
  return ownedController(tools, {
    name: "stateful-set",
    bucket: "statefulsets.apps",
    owned: "pods",
    reconcile,
  });
}

function reconcile(tools: OwnerTools, set: Owned): number | undefined {
  const revisions = revisionsOf(tools, set);
  if (revisions === undefined) {
    return undefined;
  }
  sweep(tools, set);
  if (!set.stored.deleting) {
    step(tools, set, revisions);
  }
  return report(tools, set, revisions);
}

function revisionsOf(tools: OwnerTools, set: Owned): Revisions | undefined {
  const all = syncRevisions(tools, set);
  const update = all.at(-1);
  const name = stringAt(set.tree, "status", "currentRevision");
  const current = all.find((revision) => revision.name === name) ?? update;
  return update === undefined || current === undefined ? undefined : { current, update };
}

/** Pods that ended are made anew. */
function sweep(tools: OwnerTools, set: Owned): void {
  for (const pod of claim(tools, set, "pods")) {
    if (!isActive(pod) && !pod.stored.deleting) {
      tools.writer.delete(pod.stored);
    }
  }
}

function step(tools: OwnerTools, set: Owned, { current, update }: Revisions): void {
  const pods = podsOf(tools, set);
  const states = [...pods].map(([ordinal, { stored, tree }]) => ({
    ordinal,
    revision: stored.labels[revisionLabel] ?? "",
    isReady: isReady(tree),
    isDeleting: stored.deleting,
  }));
  const plan = planStateful(set.tree, {
    wanted: wantedOrdinals(set.tree),
    pods: states,
    revision: update.name,
  });
  for (const ordinal of plan.create) {
    claimsFor(set.tree, ordinal).forEach((one) => tools.writer.create(one));
    const revision = isOldTemplate(set.tree, ordinal) ? current : update;
    tools.writer.create(statefulPod(set.tree, ordinal, revision));
  }
  for (const ordinal of plan.remove) {
    const pod = pods.get(ordinal);
    if (pod !== undefined) {
      tools.writer.delete(pod.stored);
    }
  }
}

function podsOf(tools: OwnerTools, { stored }: Owned): ReadonlyMap<number, Owned> {
  const pods = tools.index.dependentsOf(stored.uid).filter((one) => one.bucket === "pods");
  return new Map(
    pods.flatMap((pod) => {
      const ordinal = ordinalOf(stored.name, pod.name);
      return ordinal === undefined ? [] : [[ordinal, read(pod)] as const];
    }),
  );
}

function report(tools: OwnerTools, set: Owned, { current, update }: Revisions): number | undefined {
  const { clock } = tools.writer.context;
  const pods = [...podsOf(tools, set).values()].filter(isActive);
  const minReady = numberAt(set.tree, "spec", "minReadySeconds") ?? 0;
  const { ready, available, next } = countPods(pods, minReady, clock.now());
  const of = (revision: Revision): number =>
    pods.filter(({ stored }) => stored.labels[revisionLabel] === revision.name).length;
  const wanted = wantedOrdinals(set.tree).length;
  const isDone = of(update) === wanted && ready === wanted && pods.length === wanted;
  const now = isDone ? update : current;
  const counts = {
    observedGeneration: numberAt(set.tree, "metadata", "generation") ?? 0,
    replicas: pods.length,
    readyReplicas: ready,
    currentReplicas: of(now),
    updatedReplicas: of(update),
    availableReplicas: available,
    collisionCount: numberAt(set.tree, "status", "collisionCount") ?? 0,
  };
  tools.writer.update(set.stored, "status", (tree) => {
    const status = ensureTree(tree, "status");
    setCounts(status, counts, ["replicas", "availableReplicas", "collisionCount"]);
    status["currentRevision"] = now.name;
    status["updateRevision"] = update.name;
  });
  const used = pods.map(({ stored }) => stored.labels[revisionLabel] ?? "");
  forgetRevisions(tools, set, new Set([now.name, update.name, ...used]));
  return next;
}
