import { timestamp } from "../../api/api-context.ts";
import type { Controller } from "../../controllers/controller.ts";
import { claim, type Owned, type OwnerTools, ownedBy, read } from "../../controllers/owned.ts";
import { ownedController } from "../../controllers/owned-controller.ts";
import { ensureTree, isTrueAt, numberAt, stringAt, type Tree } from "../../tree.ts";
import { wantedReplicas } from "../pod/pod-facts.ts";
import { dueIn, isComplete, updateStatus } from "./deployment-status.ts";
import {
  annotationsFor,
  isOfTemplate,
  minReadyOf,
  newReplicaSet,
  revisionOf,
  rolloutAnnotations,
} from "./new-replica-set.ts";
import { limitsOf, newSetSize, oldSetSizes, type SetSize, sum } from "./rollout.ts";

const sets = "replicasets.apps";

interface Sets {
  readonly current: Owned | undefined;
  /** Oldest first. */
  readonly old: readonly Owned[];
}

/** Rolls Deployments out, one step per look. */
export function deploymentController(tools: OwnerTools): Controller {
  return ownedController(tools, {
    name: "deployment",
    bucket: "deployments.apps",
    owned: sets,
    adopts: true,
    reconcile,
  });
}

function reconcile(tools: OwnerTools, deployment: Owned): number | undefined {
  const { stored } = deployment;
  const found = setsOf(tools, deployment);
  const isNew = !stored.deleting && move(tools, deployment, found);
  const reported = report(tools, stored.uid, isNew);
  const now = tools.writer.context.clock.now();
  return reported === undefined ? undefined : dueIn(reported, ensureTree(reported, "status"), now);
}

function setsOf(tools: OwnerTools, deployment: Owned): Sets {
  const all = claim(tools, deployment, sets).sort(
    (a, b) => revisionOf(a.tree) - revisionOf(b.tree) || (a.stored.name < b.stored.name ? -1 : 1),
  );
  const current = all.find(({ tree }) => isOfTemplate(tree, deployment.tree));
  return { current, old: all.filter((set) => set !== current) };
}

/** A paused Deployment goes on with what it has, and only follows its replicas. */
function move(tools: OwnerTools, deployment: Owned, { current, old }: Sets): boolean {
  if (!isTrueAt(deployment.tree, "spec", "paused")) {
    return roll(tools, deployment, { current, old });
  }
  const active = [...old, ...(current === undefined ? [] : [current])].filter(
    ({ tree }) => wantedReplicas(tree) > 0,
  );
  const [only, ...others] = active.length === 0 && current !== undefined ? [current] : active;
  if (only !== undefined && others.length === 0) {
    resize(tools, only, wantedReplicas(deployment.tree));
  }
  return false;
}

/** One step of the rollout; true where the current ReplicaSet was made in it. */
function roll(tools: OwnerTools, deployment: Owned, { current, old }: Sets): boolean {
  const isRecreate = stringAt(deployment.tree, "spec", "strategy", "type") === "Recreate";
  if (isRecreate && old.some(({ tree }) => wantedReplicas(tree) > 0 || podsOf(tree) > 0)) {
    old.forEach((set) => resize(tools, set, 0));
    return false;
  }
  const made = currentSet(tools, deployment, current, old);
  const size = sizeOf(made);
  const limits = limitsOf(deployment.tree);
  const isResized = resize(
    tools,
    made,
    newSetSize(limits, size.wanted, sum([size, ...old.map(sizeOf)].map(({ wanted }) => wanted))),
  );
  if (!isResized) {
    const sizes = oldSetSizes(limits, size, old.map(sizeOf));
    old.forEach((set) => resize(tools, set, sizes.get(set.stored.name) ?? wantedReplicas(set.tree)));
  }
  if (isComplete(deployment.tree)) {
    forgetOldest(tools, deployment.tree, old);
  }
  return current === undefined;
}

/** The ReplicaSet of the current template, made where it is missing, with the annotations that it should have. */
function currentSet(
  tools: OwnerTools,
  deployment: Owned,
  current: Owned | undefined,
  old: readonly Owned[],
): Owned {
  const { tree } = deployment;
  const { replicas, maxSurge } = limitsOf(tree);
  const newest = Math.max(0, ...old.map((set) => revisionOf(set.tree)));
  const revision = Math.max(newest + 1, current === undefined ? 0 : revisionOf(current.tree));
  const sizes = { desired: replicas, max: replicas + maxSurge };
  const made = current ?? makeSet(tools, tree, old);
  const updated = tools.writer.update(made.stored, "", (set) => {
    ensureTree(set, "metadata")["annotations"] = annotationsFor(tree, set, { revision, ...sizes });
    ensureTree(set, "spec")["minReadySeconds"] = minReadyOf(tree) || undefined;
  });
  tools.writer.update(deployment.stored, "status", (next) => {
    ensureTree(ensureTree(next, "metadata"), "annotations")[rolloutAnnotations.revision] = String(revision);
  });
  return read(updated);
}

function makeSet(tools: OwnerTools, deployment: Tree, old: readonly Owned[]): Owned {
  const wanted = sum(old.map(({ tree }) => wantedReplicas(tree)));
  const set = newReplicaSet(deployment);
  ensureTree(set, "spec")["replicas"] = newSetSize(limitsOf(deployment), 0, wanted);
  const made = tools.writer.create(set);
  if (made === undefined) {
    countCollision(tools, deployment);
    throw new Error(`the name of a ReplicaSet of ${stringAt(deployment, "metadata", "name")} is taken`);
  }
  return read(made);
}

/** The next try makes another hash of the same template. */
function countCollision(tools: OwnerTools, deployment: Tree): void {
  const stored = tools.index.get(stringAt(deployment, "metadata", "uid"));
  if (stored !== undefined) {
    tools.writer.update(stored, "status", (next) => {
      const status = ensureTree(next, "status");
      status["collisionCount"] = (numberAt(status, "collisionCount") ?? 0) + 1;
    });
  }
}

/** True where the set has another size than before. */
function resize(tools: OwnerTools, { stored, tree }: Owned, replicas: number): boolean {
  if (wantedReplicas(tree) === replicas) {
    return false;
  }
  tools.writer.update(stored, "", (set) => {
    ensureTree(set, "spec")["replicas"] = replicas;
  });
  return true;
}

function forgetOldest(tools: OwnerTools, deployment: Tree, old: readonly Owned[]): void {
  const limit = numberAt(deployment, "spec", "revisionHistoryLimit") ?? 10;
  const idle = old.filter(
    ({ stored, tree }) => !stored.deleting && wantedReplicas(tree) === 0 && podsOf(tree) === 0,
  );
  idle.slice(0, Math.max(0, idle.length - limit)).forEach(({ stored }) => tools.writer.delete(stored));
}

function report(tools: OwnerTools, uid: string, isNew: boolean): Tree | undefined {
  const stored = tools.index.get(uid);
  if (stored === undefined) {
    return undefined;
  }
  const all = ownedBy(tools, uid, sets);
  const deployment = read(stored);
  const current = all.find(({ tree }) => isOfTemplate(tree, deployment.tree));
  const old = all.filter((set) => set !== current).map(({ tree }) => tree);
  const written = tools.writer.update(stored, "status", (next) =>
    updateStatus(next, { current: current?.tree, old, isNew }, timestamp(tools.writer.context.clock)),
  );
  return read(written).tree;
}

function sizeOf({ stored, tree }: Owned): SetSize {
  return {
    name: stored.name,
    wanted: wantedReplicas(tree),
    available: numberAt(tree, "status", "availableReplicas") ?? 0,
  };
}

function podsOf(set: Tree): number {
  return numberAt(set, "status", "replicas") ?? 0;
}
