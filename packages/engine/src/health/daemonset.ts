import type { KubeObject } from "@weir/kube";
import { countOf, isUnobserved, objectOf, specOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/** A DaemonSet is healthy when its newest pod is available on every node that should run it. */
export function daemonSetHealth(live: KubeObject): Health {
  const status = statusOf(live);
  const wanted = countOf(status["desiredNumberScheduled"]);
  const updated = countOf(status["updatedNumberScheduled"]);
  const available = countOf(status["numberAvailable"]);
  if (isUnobserved(live)) {
    return health("Progressing", "the new definition has not been observed yet");
  }
  // With OnDelete, old pods stay until someone deletes them, so there is nothing to wait for.
  if (objectOf(specOf(live)["updateStrategy"])["type"] === "OnDelete") {
    return health("Healthy", `${updated} of ${wanted} pods are updated`);
  }
  if (updated < wanted) {
    return health("Progressing", `${updated} of ${wanted} pods are updated`);
  }
  return available < wanted
    ? health("Progressing", `${available} of ${wanted} updated pods are available`)
    : health("Healthy");
}
