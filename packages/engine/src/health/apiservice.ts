import type { KubeObject } from "@weir/kube";
import { conditionOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/** An APIService is healthy when the server behind it responds. */
export function apiServiceHealth(live: KubeObject): Health {
  const available = conditionOf(statusOf(live), "Available");
  if (available === undefined) {
    return health("Progressing", "the server has not been checked yet");
  }
  const message = `${available.reason}: ${available.message}`;
  return health(available.status === "True" ? "Healthy" : "Progressing", message);
}
