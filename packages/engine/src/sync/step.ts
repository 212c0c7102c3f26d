/**
 * The state machine of a sync: computes the next step from a plan, the outcomes so far, and the health of the
 * objects. It stores and changes nothing, so each call can start from the current state.
 */
import type { Health } from "../health/health-status.ts";
import type { SyncPlan } from "./plan.ts";
import type { Wave } from "./stages.ts";
import { isWork, type SyncTask } from "./task.ts";

/** The outcome of a task; "applied" is not final yet if its health matters. */
export type TaskOutcome =
  | { readonly kind: "applied" }
  | { readonly kind: "settled" }
  | { readonly kind: "failed"; readonly error: string };

/** The outcomes of tasks so far, by task ID. */
export type Outcomes = ReadonlyMap<string, TaskOutcome>;

/** The current health of a task's live object; undefined if its kind has none. */
export type HealthOf = (task: SyncTask) => Health | undefined;

/** A task and its outcome. */
export type SettledTask = readonly [SyncTask, TaskOutcome];

/** What to do next. */
export type Step =
  /** Perform all of these tasks, in parallel. */
  | { readonly kind: "act"; readonly tasks: readonly SyncTask[] }
  /** Record the outcomes that follow from health. */
  | { readonly kind: "settle"; readonly settled: readonly SettledTask[] }
  /** Ask again when the health of one of these may have changed. */
  | { readonly kind: "wait"; readonly tasks: readonly SyncTask[] }
  | { readonly kind: "end"; readonly failed: boolean };

/**
 * The next step. A wave runs stage by stage, even if a task fails. The next wave begins when the whole wave
 * has succeeded and is healthy; if nothing is left to do, the sync doesn't wait for health. Hooks are always
 * waited for. A failure holds back all later waves and triggers the SyncFail hooks.
 */
export function nextStep(plan: SyncPlan, outcomes: Outcomes, healthOf: HealthOf): Step {
  const regular = plan.waves.filter(({ phase }) => phase !== "SyncFail");
  for (const [index, wave] of regular.entries()) {
    const isFollowed = regular.slice(index + 1).some(hasWork);
    const step = stepOf(wave, isFollowed, outcomes, healthOf);
    if (step !== undefined) {
      return step;
    }
    if (hasFailed(wave, outcomes)) {
      return afterFailure(plan, outcomes, healthOf);
    }
  }
  return { kind: "end", failed: false };
}

function afterFailure(plan: SyncPlan, outcomes: Outcomes, healthOf: HealthOf): Step {
  for (const wave of plan.waves.filter(({ phase }) => phase === "SyncFail")) {
    const step = stepOf(wave, false, outcomes, healthOf);
    if (step !== undefined) {
      return step;
    }
  }
  return { kind: "end", failed: true };
}

/** The next step in a wave; undefined if nothing is left to do in it. */
function stepOf(wave: Wave, isFollowed: boolean, outcomes: Outcomes, healthOf: HealthOf): Step | undefined {
  for (const stage of wave.stages) {
    const tasks = stage.filter((task) => isWork(task) && !outcomes.has(task.id));
    if (tasks.length > 0) {
      return { kind: "act", tasks };
    }
  }
  const needsHealth = isFollowed && !hasFailed(wave, outcomes);
  const open = tasksOf(wave).filter((task) => isOpen(task, needsHealth, outcomes));
  const settled = open.flatMap((task) => settle(task, healthOf(task)));
  if (settled.length > 0) {
    return { kind: "settle", settled };
  }
  return open.length > 0 ? { kind: "wait", tasks: open } : undefined;
}

/** True if the end of the wave depends on the health of the task's object. */
function isOpen(task: SyncTask, needsHealth: boolean, outcomes: Outcomes): boolean {
  const outcome = outcomes.get(task.id);
  const isDone = outcome === undefined ? !isWork(task) : outcome.kind === "applied";
  return isDone && (task.action === "hook" || (needsHealth && task.action !== "prune"));
}

/** The outcome that follows from an object's health; none while it may still change. */
function settle(task: SyncTask, health: Health | undefined): readonly SettledTask[] {
  const isHook = task.action === "hook";
  if (health === undefined || health.status === "Healthy" || (health.status === "Suspended" && !isHook)) {
    return [[task, { kind: "settled" }]];
  }
  if (health.status === "Degraded" || health.status === "Missing") {
    const what = isHook ? "the hook failed" : `it is ${health.status.toLowerCase()}`;
    const error = health.message === "" ? what : `${what}: ${health.message}`;
    return [[task, { kind: "failed", error }]];
  }
  return [];
}

function hasWork(wave: Wave): boolean {
  return tasksOf(wave).some(isWork);
}

function hasFailed(wave: Wave, outcomes: Outcomes): boolean {
  return tasksOf(wave).some(({ id }) => outcomes.get(id)?.kind === "failed");
}

function tasksOf(wave: Wave): readonly SyncTask[] {
  return wave.stages.flat();
}
