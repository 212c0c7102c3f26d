import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { RolloutStatus, WorkloadStatus } from "@weir/flux";
import type { KubeObject } from "@weir/kube";

/** The state of a workload and the progress of its rollout. */
export interface Rollout {
  readonly status: WorkloadStatus;
  readonly rollout: RolloutStatus;
}

/** For kinds without rollouts. */
const noRollout: RolloutStatus = {
  desired: 0,
  updated: 0,
  ready: 0,
  available: 0,
  outdated: 0,
  messages: null,
};

/** The rollout of a live Deployment. Based on Flux v1's makeDeploymentWorkload. */
export function deploymentRollout(object: KubeObject): Rollout {
  const status = objectAt(object.status);
  const updated = count(status["updatedReplicas"]);
  const rollout = {
    desired: count(objectAt(object.spec)["replicas"]),
    updated,
    ready: count(status["readyReplicas"]),
    available: count(status["availableReplicas"]),
    outdated: count(status["replicas"]) - updated,
    messages: deploymentErrors(status),
  };
  return { status: replicaStatus(object, rollout), rollout };
}

/** The rollout of a live DaemonSet. Based on Flux v1's makeDaemonSetWorkload. */
export function daemonSetRollout(object: KubeObject): Rollout {
  const status = objectAt(object.status);
  const updated = count(status["updatedNumberScheduled"]);
  const rollout = {
    desired: count(status["desiredNumberScheduled"]),
    updated,
    ready: count(status["numberReady"]),
    available: count(status["numberAvailable"]),
    outdated: count(status["currentNumberScheduled"]) - updated,
    messages: null,
  };
  return { status: replicaStatus(object, rollout), rollout };
}

/** The rollout of a live StatefulSet, which may have a partition. Based on Flux v1's makeStatefulSetWorkload. */
export function statefulSetRollout(object: KubeObject): Rollout {
  const spec = objectAt(object.spec);
  const status = objectAt(object.status);
  const replicas = count(spec["replicas"]);
  const desired = Math.max(0, replicas - partitionOf(spec));
  const rolling = status["currentRevision"] !== status["updateRevision"];
  const updated = count(status[rolling ? "updatedReplicas" : "currentReplicas"]);
  const ready = count(status["readyReplicas"]);
  const rollout = { desired, updated, ready, available: ready, outdated: desired - updated, messages: null };
  if (!isObserved(object)) {
    return { status: "started", rollout };
  }
  return { status: updated === desired && ready === replicas ? "ready" : "updating", rollout };
}

/** A CronJob is ready as soon as it exists. */
export function cronJobRollout(): Rollout {
  return { status: "ready", rollout: noRollout };
}

/** The state of a HelmRelease, in the terms of the Helm operator. */
export function helmReleaseRollout(object: KubeObject): Rollout {
  const status = objectAt(object.status)["releaseStatus"];
  return { status: typeof status === "string" ? status : "", rollout: noRollout };
}

function replicaStatus(object: KubeObject, rollout: RolloutStatus): WorkloadStatus {
  if (!isObserved(object)) {
    return "started";
  }
  if (rollout.messages !== null) {
    return "error";
  }
  const settled =
    rollout.updated === rollout.desired && rollout.available === rollout.desired && rollout.outdated === 0;
  return settled ? "ready" : "updating";
}

/** True if the controller has seen the current definition. */
function isObserved(object: KubeObject): boolean {
  return count(objectAt(object.status)["observedGeneration"]) >= (object.metadata.generation ?? 0);
}

function deploymentErrors(status: JsonObject): readonly string[] | null {
  const conditions = status["conditions"];
  const messages = (isJsonArray(conditions) ? conditions : [])
    .filter(isJsonObject)
    .filter(
      ({ type, status: state }) =>
        (type === "Progressing" && state === "False") || (type === "ReplicaFailure" && state === "True"),
    )
    .map(({ message }) => (typeof message === "string" ? message : ""));
  return messages.length > 0 ? messages : null;
}

function partitionOf(spec: JsonObject): number {
  const strategy = objectAt(spec["updateStrategy"]);
  return strategy["type"] === "RollingUpdate" ? count(objectAt(strategy["rollingUpdate"])["partition"]) : 0;
}

function objectAt(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function count(value: JsonValue | undefined): number {
  return typeof value === "number" ? value : 0;
}
