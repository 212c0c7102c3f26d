import { healthOf } from "../health/health.ts";
import { type HealthStatus, worstOf } from "../health/health-status.ts";
import { overrideFor, type ResourceOverrides } from "../overrides.ts";
import { isIgnoredAsExtraneous } from "../sync/extraneous.ts";
import { type SyncPlan, tasksOf } from "../sync/plan.ts";
import { isChange, type SyncTask } from "../sync/task.ts";
import type { SyncUnitStatus } from "../types.ts";

/** The status of a unit, from the plan of what a sync would do now. */
export function statusBy(
  plan: SyncPlan,
  revision: string,
  overrides: ResourceOverrides,
): Omit<SyncUnitStatus, "operation"> {
  const tasks = tasksOf(plan);
  const healths = tasks.filter((task) => "method" in task).map((task) => healthBy(task, overrides));
  const sync = tasks.some(isOutOfSync) ? "OutOfSync" : "Synced";
  return { sync, health: worstOf(healths), revision, message: "" };
}

/** True if the status hasn't changed in a way that matters. */
export function isSameStatus(a: SyncUnitStatus, b: SyncUnitStatus): boolean {
  return a.sync === b.sync && a.health === b.health && a.revision === b.revision && a.message === b.message;
}

/** An orphan can ask not to count; it's pruned all the same. */
function isOutOfSync(task: SyncTask): boolean {
  const isIgnored = task.action === "prune" && isIgnoredAsExtraneous(task.live);
  return isChange(task) && !isIgnored;
}

function healthBy(task: SyncTask, overrides: ResourceOverrides): HealthStatus {
  if (task.action === "apply") {
    return "Unknown";
  }
  if (task.action === "hook" || task.live === undefined) {
    return "Missing";
  }
  return healthOf(task.live, overrideFor(overrides, task.key).health)?.status ?? "Healthy";
}
