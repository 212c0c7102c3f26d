/** When a task that is waited for has succeeded or failed: by the health of its object, or by the time. */
import type { Health } from "../health/health-status.ts";
import { isDeletion, type SyncTask } from "../plan/task.ts";
import type { Conditions, Outcomes, SettledTask } from "./outcome.ts";

/** The conditions of a task that is waited for; its wave has begun to wait at `since`. */
export interface OpenConditions extends Conditions {
  readonly outcomes: Outcomes;
}

/** How long to wait for a task. */
export interface TimeLimit {
  readonly until: number;
  /** What is wrong with the task after that. */
  readonly error: string;
}

/** The outcome that follows from an object's health, or from the time; none while it may still change. */
export function settle(task: SyncTask, conditions: OpenConditions): readonly SettledTask[] {
  const { now, outcomes } = conditions;
  const health = conditions.healthOf(task);
  const verdict = outcomes.get(task.id)?.kind === "clearing" ? undefined : verdictOf(task, health);
  if (verdict !== undefined) {
    return [[task, { ...verdict, at: now }]];
  }
  const { until, error } = limitOf(task, conditions);
  if (now < until) {
    return [];
  }
  const why = (health?.message ?? "") === "" ? "" : `: ${health?.message ?? ""}`;
  return [[task, { kind: "failed", error: `${error}${why}`, at: now }]];
}

type Verdict = { readonly kind: "settled" } | { readonly kind: "failed"; readonly error: string };

function verdictOf(task: SyncTask, health: Health | undefined): Verdict | undefined {
  const isHook = task.action === "hook";
  if (isDeletion(task)) {
    return health === undefined || health.status === "Missing" ? { kind: "settled" } : undefined;
  }
  if (health === undefined || health.status === "Healthy" || (health.status === "Suspended" && !isHook)) {
    return { kind: "settled" };
  }
  if (health.status === "Degraded" || health.status === "Missing") {
    const what = isHook ? "the hook failed" : `it is ${health.status.toLowerCase()}`;
    return { kind: "failed", error: health.message === "" ? what : `${what}: ${health.message}` };
  }
  return undefined;
}

/** Until when a task is waited for. */
export function limitOf(task: SyncTask, { outcomes, since, waitMs }: OpenConditions): TimeLimit {
  const outcome = outcomes.get(task.id);
  if (outcome?.kind === "clearing") {
    const error = `the hook object of the previous run was not deleted within ${waitMs / 1000} s`;
    return { until: outcome.at + waitMs, error };
  }
  if (task.action === "hook") {
    const error = `the hook did not finish within ${task.timeoutMs / 1000} s`;
    return { until: (outcome?.at ?? since) + task.timeoutMs, error };
  }
  if (isDeletion(task)) {
    return { until: since + waitMs, error: `it was not gone within ${waitMs / 1000} s after its deletion` };
  }
  return { until: since + waitMs, error: `not healthy within ${waitMs / 1000} s` };
}
