import type { KubeObject } from "@weir/kube";
import { conditionsOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/** A Job is healthy when it's complete; until then, it's progressing, failed, or suspended. */
export function jobHealth(live: KubeObject): Health {
  const conditions = conditionsOf(statusOf(live)).filter(({ status }) => status === "True");
  const failed = conditions.find(({ type }) => type === "Failed");
  if (failed !== undefined) {
    return health("Degraded", failed.message);
  }
  const complete = conditions.find(({ type }) => type === "Complete");
  if (complete !== undefined) {
    return health("Healthy", complete.message);
  }
  const suspended = conditions.find(({ type }) => type === "Suspended");
  return suspended === undefined ? health("Progressing") : health("Suspended", suspended.message);
}
