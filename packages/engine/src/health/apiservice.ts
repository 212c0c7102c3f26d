import type { KubeObject } from "@weir/kube";
import { conditionOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/** An APIService is healthy when the server behind it answers. */
export function apiServiceHealth(live: KubeObject): Health {
  const available = conditionOf(statusOf(live), "Available");
  if (available === undefined) {
    return health("Progressing", "not looked at yet");
  }
  const message = `${available.reason}: ${available.message}`;
  return health(available.status === "True" ? "Healthy" : "Progressing", message);
}
