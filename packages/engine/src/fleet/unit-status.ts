import { equalJson } from "@weir/base";
import { healthOf } from "../health/health.ts";
import { type HealthStatus, worstOf } from "../health/health-status.ts";
import { overrideFor, type ResourceOverrides } from "../health/overrides.ts";
import { isIgnoredAsExtraneous } from "../plan/extraneous.ts";
import type { KeptObject } from "../plan/guards.ts";
import { type SyncPlan, tasksOf } from "../plan/plan.ts";
import { isChange, type SyncTask } from "../plan/task.ts";
import { unavailableMessage } from "../plan/unavailable-apis.ts";
import type { SyncUnitEvent, SyncUnitStatus } from "./ports.ts";

/** What comparing a unit with its cluster has found. */
export type Finding = Pick<SyncUnitStatus, "sync" | "health" | "revision" | "message">;

/** The status of a unit, from the plan of what a sync would do now. */
export function statusBy(plan: SyncPlan, revision: string, overrides: ResourceOverrides): Finding {
  const tasks = tasksOf(plan);
  const healths = tasks.filter((task) => "method" in task).map((task) => healthBy(task, overrides));
  const health = worstOf(healths);
  if (plan.unavailable !== undefined) {
    return { sync: "Unknown", health, revision, message: unavailableMessage(plan.unavailable) };
  }
  const sync = tasks.some(isOutOfSync) || plan.kept.some(awaitsDecision) ? "OutOfSync" : "Synced";
  return { sync, health, revision, message: "" };
}

/** The status with a new finding and warnings; undefined if that changes nothing that matters. */
export function withFinding(
  status: SyncUnitStatus,
  finding: Finding,
  warnings: readonly string[],
): SyncUnitStatus | undefined {
  const { warnings: before = [], ...rest } = status;
  const isSame =
    rest.sync === finding.sync &&
    rest.health === finding.health &&
    rest.revision === finding.revision &&
    rest.message === finding.message &&
    equalJson(before, warnings);
  return isSame ? undefined : { ...rest, ...finding, ...(warnings.length === 0 ? {} : { warnings }) };
}

/** The events that tell of a changed status. */
export function eventsOf(before: SyncUnitStatus, after: SyncUnitStatus): readonly SyncUnitEvent[] {
  const { sync, health, message, warnings = [] } = after;
  const isSame = sync === before.sync && health === before.health && message === before.message;
  const found: SyncUnitEvent =
    message === "" ? { kind: "status-changed", message: `${sync}, ${health}` } : { kind: "failed", message };
  const fresh = warnings.filter((warning) => before.warnings?.includes(warning) !== true);
  return [
    ...(isSame && after.revision === before.revision ? [] : [found]),
    ...fresh.map((warning): SyncUnitEvent => ({ kind: "warning", message: warning })),
  ];
}

/** True for an object that a sync only leaves alone until somebody decides about it. */
function awaitsDecision({ guard }: KeptObject): boolean {
  return guard === "foreign" || guard === "unconfirmed" || guard === "prune-limit";
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
