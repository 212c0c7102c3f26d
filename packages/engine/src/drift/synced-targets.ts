import { identityOf } from "../plan/identity.ts";
import { leaveRuleOf } from "../plan/leave.ts";
import { type SyncPlan, tasksOf } from "../plan/plan.ts";
import type { Target } from "../plan/reconcile.ts";
import { planOptionsOf, type SyncRequest } from "../plan/sync-request.ts";
import { isSameObject } from "../plan/target-memory.ts";
import type { PlanRun } from "../run/run.ts";
import type { SyncedTarget } from "./drift-memory.ts";

/** The objects to check for drift after a sync; a failed object is already known to differ. */
export function syncedBy(request: SyncRequest, plan: SyncPlan, run: PlanRun): readonly SyncedTarget[] {
  const leave = leaveRuleOf(planOptionsOf(request));
  return tasksOf(plan).flatMap((task) => {
    if (!("method" in task) || task.createOnly === true) {
      return [];
    }
    const { key, target, method, id } = task;
    const isThere = task.action === "unchanged" || (run.deeds.get(id)?.change ?? "none") !== "none";
    const hasFailed = run.outcomes.get(id)?.kind === "failed";
    return isThere && !hasFailed ? [{ key, target, method, leave }] : [];
  });
}

/** The targets, with the objects of the last sync where they're equal: what was computed for these is still valid. */
export function asSyncedBefore(
  targets: readonly Target[],
  synced: ReadonlyMap<string, SyncedTarget>,
): readonly Target[] {
  return targets.map((target) => {
    const before = synced.get(identityOf(target.object).id)?.target;
    return before !== undefined && isSameObject(before, target.object)
      ? { ...target, object: before }
      : target;
  });
}
