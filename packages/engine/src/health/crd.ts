import type { KubeObject } from "@weir/kube";
import { conditionOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/**
 * A CustomResourceDefinition is healthy when its kind is served, and degraded when its name is already taken.
 */
export function crdHealth(live: KubeObject): Health {
  const status = statusOf(live);
  const names = conditionOf(status, "NamesAccepted");
  if (names?.status === "False") {
    return health("Degraded", names.message);
  }
  return conditionOf(status, "Established")?.status === "True"
    ? health("Healthy")
    : health("Progressing", "the kind is not served yet");
}
