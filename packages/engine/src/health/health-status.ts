import type { KubeObject } from "@weir/kube";

/** How an object is, as people see it. */
export type HealthStatus = "Healthy" | "Suspended" | "Progressing" | "Missing" | "Degraded" | "Unknown";

/** A health status and, where there is one, the reason for it. */
export interface Health {
  readonly status: HealthStatus;
  readonly message: string;
}

/**
 * Judges live objects of one kind by what they say of themselves, without asking anyone else. Undefined where
 * the rule has no opinion.
 */
export type HealthRule = (live: KubeObject) => Health | undefined;

/** From the best to the worst; what a set of objects is, is what its worst one is. */
const fromBestToWorst: readonly HealthStatus[] = [
  "Healthy",
  "Suspended",
  "Progressing",
  "Missing",
  "Degraded",
  "Unknown",
];

/** The worst of some statuses; Healthy where there are none. */
export function worstOf(statuses: Iterable<HealthStatus>): HealthStatus {
  let worst = 0;
  for (const status of statuses) {
    worst = Math.max(worst, fromBestToWorst.indexOf(status));
  }
  return fromBestToWorst[worst] ?? "Unknown";
}

/** A health in one expression. */
export function health(status: HealthStatus, message = ""): Health {
  return { status, message };
}
