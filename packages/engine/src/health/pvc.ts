import type { KubeObject } from "@weir/kube";
import { statusOf, textOf } from "./fields.ts";
import { type Health, type HealthStatus, health } from "./health-status.ts";

const statusOfPhase: ReadonlyMap<string, HealthStatus> = new Map([
  ["Bound", "Healthy"],
  ["Pending", "Progressing"],
  ["Lost", "Degraded"],
]);

/** A PersistentVolumeClaim is healthy when it is bound. */
export function pvcHealth(live: KubeObject): Health {
  const phase = textOf(statusOf(live)["phase"]);
  return health(statusOfPhase.get(phase) ?? "Unknown", phase === "" ? "the claim has no phase yet" : "");
}
