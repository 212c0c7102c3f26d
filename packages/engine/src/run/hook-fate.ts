import type { KubeObject } from "@weir/kube";
import type { HealthStatus } from "../health/health-status.ts";
import { type HookStamp, runOf } from "../plan/hooks.ts";
import type { HookTask } from "../plan/task.ts";

/** What happens to an object that has the name of a hook that is to be created. */
export type HookFate =
  /** It's this run of the hook. */
  | "adopt"
  /** It's deleted first. */
  | "delete"
  /** The hook is applied to it. */
  | "apply";

/**
 * What happens to `old`, whose health has this status. Without BeforeHookCreation, the hook is applied to it, as to any
 * object, unless it's left from an operation that was replaced: it may still run, or it was never deleted, and would
 * block the hook.
 */
export function hookFateOf(
  old: KubeObject,
  { deletePolicies }: HookTask,
  { stamp, status }: { readonly stamp: HookStamp; readonly status: HealthStatus | undefined },
): HookFate {
  const run = runOf(old, stamp);
  if (run === "this") {
    return "adopt";
  }
  if (deletePolicies.includes("BeforeHookCreation")) {
    return "delete";
  }
  if (run === "unknown" || status === undefined) {
    return "apply";
  }
  const isKept =
    (status === "Healthy" && !deletePolicies.includes("HookSucceeded")) ||
    (status === "Degraded" && !deletePolicies.includes("HookFailed"));
  return isKept ? "apply" : "delete";
}
