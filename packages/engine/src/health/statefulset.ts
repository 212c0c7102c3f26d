import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { countOf, isUnobserved, objectOf, specOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/**
 * A StatefulSet is healthy when its pods are ready and, as far as its update strategy requires, of the newest
 * revision.
 */
export function statefulSetHealth(live: KubeObject): Health {
  const status = statusOf(live);
  const wanted = countOf(specOf(live)["replicas"]);
  const ready = countOf(status["readyReplicas"]);
  if (countOf(status["observedGeneration"]) === 0 || isUnobserved(live)) {
    return health("Progressing", "the new definition has not been observed yet");
  }
  return ready < wanted
    ? health("Progressing", `${ready} of ${wanted} pods are ready`)
    : rolloutHealth(objectOf(specOf(live)["updateStrategy"]), wanted, status);
}

function rolloutHealth(strategy: JsonObject, wanted: number, status: JsonObject): Health {
  const updated = countOf(status["updatedReplicas"]);
  const partition = countOf(objectOf(strategy["rollingUpdate"])["partition"]);
  if (strategy["type"] === "OnDelete") {
    return health("Healthy", "pods are updated when they are deleted");
  }
  if (partition > 0) {
    const due = Math.max(0, wanted - partition);
    return health(updated < due ? "Progressing" : "Healthy", `${updated} of ${due} pods are updated`);
  }
  return status["updateRevision"] === status["currentRevision"]
    ? health("Healthy")
    : health("Progressing", `${updated} of ${wanted} pods are updated`);
}
