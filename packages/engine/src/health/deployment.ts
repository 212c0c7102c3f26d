import type { KubeObject } from "@weir/kube";
import { conditionOf, countOf, isUnobserved, specOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/** A Deployment is healthy when all of its newest replicas are available and no old ones are left. */
export function deploymentHealth(live: KubeObject): Health {
  const spec = specOf(live);
  const status = statusOf(live);
  if (spec["paused"] === true) {
    return health("Suspended", "the deployment is paused");
  }
  if (isUnobserved(live)) {
    return health("Progressing", "the new definition has not been observed yet");
  }
  if (conditionOf(status, "Progressing")?.reason === "ProgressDeadlineExceeded") {
    return health("Degraded", "the rollout exceeded its progress deadline");
  }
  const waiting = unfinished(countOf(spec["replicas"]), {
    total: countOf(status["replicas"]),
    updated: countOf(status["updatedReplicas"]),
    available: countOf(status["availableReplicas"]),
  });
  return waiting === undefined ? health("Healthy") : health("Progressing", waiting);
}

interface Replicas {
  readonly total: number;
  readonly updated: number;
  readonly available: number;
}

/** What a rollout still waits for, in the order in which it happens. */
function unfinished(wanted: number, { total, updated, available }: Replicas): string | undefined {
  if (updated < wanted) {
    return `${updated} of ${wanted} new replicas are updated`;
  }
  if (total > updated) {
    return `${total - updated} old replicas are still running`;
  }
  return available < updated ? `${available} of ${updated} updated replicas are available` : undefined;
}
