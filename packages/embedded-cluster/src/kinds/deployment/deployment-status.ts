/** What the status of a Deployment says of its ReplicaSets. */

import { type Condition, conditionOf, setConditions, withFields } from "../../conditions.ts";
import { setCounts } from "../../controllers/status-counts.ts";
import { ensureTree, numberAt, stringAt, type Tree, treeAt, treesAt } from "../../tree.ts";
import { limitsOf, sum } from "./rollout.ts";

/** The ReplicaSets of a Deployment. */
export interface DeploymentSets {
  /** That of the current template; undefined before it is made. */
  readonly current: Tree | undefined;
  readonly old: readonly Tree[];
  /** True where the current one was made just now. */
  readonly isNew: boolean;
}

/** Brings the status of a Deployment, a copy of the stored one, up to date. */
export function updateStatus(deployment: Tree, sets: DeploymentSets, now: string): void {
  const status = ensureTree(deployment, "status");
  const before = { ...status };
  const all = [...sets.old, ...(sets.current === undefined ? [] : [sets.current])];
  const total = (field: string, ...path: string[]): number =>
    sum(all.map((set) => numberAt(set, ...path, field) ?? 0));
  const available = total("availableReplicas", "status");
  const counts = {
    observedGeneration: numberAt(deployment, "metadata", "generation") ?? 0,
    replicas: total("replicas", "status"),
    updatedReplicas: numberAt(sets.current, "status", "replicas") ?? 0,
    readyReplicas: total("readyReplicas", "status"),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, total("replicas", "spec") - available),
  };
  setCounts(status, counts);
  const progress = progressOf(deployment, sets, before, now);
  setStamped(
    status,
    [availability(deployment, available), ...(progress === undefined ? [] : [progress])],
    now,
  );
}

function availability(deployment: Tree, available: number): Condition {
  const { replicas, maxUnavailable } = limitsOf(deployment);
  return available >= replicas - maxUnavailable
    ? {
        type: "Available",
        status: "True",
        reason: "MinimumReplicasAvailable",
        message: "Deployment has minimum availability.",
      }
    : {
        type: "Available",
        status: "False",
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
      };
}

/** Deployments tell when they were last seen to progress. A progress that is over says no more. */
function setStamped(status: Tree, conditions: readonly Condition[], now: string): void {
  setConditions(status, now, withFields(conditions, { lastUpdateTime: now }));
}

/** True where all pods are of the current template, and serve. */
export function isComplete(deployment: Tree): boolean {
  const { replicas } = limitsOf(deployment);
  const status = treeAt(deployment, "status");
  return (
    ["replicas", "updatedReplicas", "availableReplicas"].every(
      (field) => (numberAt(status, field) ?? 0) === replicas,
    ) && numberAt(status, "observedGeneration") === numberAt(deployment, "metadata", "generation")
  );
}

function progressOf(
  deployment: Tree,
  { current, isNew }: DeploymentSets,
  before: Tree,
  now: string,
): Condition | undefined {
  const status = treeAt(deployment, "status");
  const known = conditionOf(before, "Progressing");
  const isSettled =
    numberAt(status, "replicas") === numberAt(status, "updatedReplicas") &&
    stringAt(known, "reason") === "NewReplicaSetAvailable";
  const set = stringAt(current, "metadata", "name");
  const what =
    current === undefined
      ? `Deployment "${stringAt(deployment, "metadata", "name")}"`
      : `ReplicaSet "${set}"`;
  if (isNew) {
    return progressing("NewReplicaSetCreated", `Created new replica set "${set}"`);
  }
  if (isSettled) {
    return undefined;
  }
  if (isComplete(deployment)) {
    return progressing("NewReplicaSetAvailable", `${what} has successfully progressed.`);
  }
  if (hasMoved(treeAt(deployment, "status") ?? {}, before)) {
    return progressing("ReplicaSetUpdated", `${what} is progressing.`);
  }
  return dueIn(deployment, before, Date.parse(now)) === 0
    ? { ...progressing("ProgressDeadlineExceeded", `${what} has timed out progressing.`), status: "False" }
    : undefined;
}

function progressing(reason: string, message: string): Condition {
  return { type: "Progressing", status: "True", reason, message };
}

/** More new pods, fewer old ones, or more that serve. */
function hasMoved(now: Tree, before: Tree): boolean {
  const count = (status: Tree, field: string): number => numberAt(status, field) ?? 0;
  const old = (status: Tree): number => count(status, "replicas") - count(status, "updatedReplicas");
  return (
    ["updatedReplicas", "readyReplicas", "availableReplicas"].some(
      (field) => count(now, field) > count(before, field),
    ) || old(now) < old(before)
  );
}

/** In how many milliseconds a rollout that does not move counts as failed; undefined where it cannot any more. */
export function dueIn(deployment: Tree, status: Tree, now: number): number | undefined {
  const seconds = numberAt(deployment, "spec", "progressDeadlineSeconds");
  const progress = treesAt(status, "conditions").find((one) => stringAt(one, "type") === "Progressing");
  const isOver = ["NewReplicaSetAvailable", "ProgressDeadlineExceeded"].includes(
    stringAt(progress, "reason"),
  );
  if (seconds === undefined || progress === undefined || isOver) {
    return undefined;
  }
  return Math.max(0, Date.parse(stringAt(progress, "lastUpdateTime")) + seconds * 1000 - now);
}
