import type { KubeObject } from "@weir/kube";

/** The health of an object, as shown to people. */
export type HealthStatus = "Healthy" | "Suspended" | "Progressing" | "Missing" | "Degraded" | "Unknown";

/** A health status and the reason for it, if there is one. */
export interface Health {
  readonly status: HealthStatus;
  readonly message: string;
}

/**
 * Determines the health of live objects of one kind from the object alone. Undefined if the rule doesn't
 * apply.
 */
export type HealthRule = (live: KubeObject) => Health | undefined;

/** From best to worst; a set of objects has the status of its worst object. */
const fromBestToWorst: readonly HealthStatus[] = [
  "Healthy",
  "Suspended",
  "Progressing",
  "Missing",
  "Degraded",
  "Unknown",
];

/** The worst of the given statuses; Healthy if there are none. */
export function worstOf(statuses: Iterable<HealthStatus>): HealthStatus {
  let worst = 0;
  for (const status of statuses) {
    worst = Math.max(worst, fromBestToWorst.indexOf(status));
  }
  return fromBestToWorst[worst] ?? "Unknown";
}

/** Creates a Health in one expression. */
export function health(status: HealthStatus, message = ""): Health {
  return { status, message };
}
