import type { KubeObject } from "@weir/kube";
import { conditionOf, countOf, isUnobserved, specOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/** A ReplicaSet is healthy when all its replicas are available. */
export function replicaSetHealth(live: KubeObject): Health {
  const status = statusOf(live);
  if (isUnobserved(live)) {
    return health("Progressing", "the new definition has not been observed yet");
  }
  const failure = conditionOf(status, "ReplicaFailure");
  if (failure?.status === "True") {
    return health("Degraded", failure.message);
  }
  const wanted = countOf(specOf(live)["replicas"]);
  const available = countOf(status["availableReplicas"]);
  return available < wanted
    ? health("Progressing", `${available} of ${wanted} replicas are available`)
    : health("Healthy");
}
