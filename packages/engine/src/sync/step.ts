/**
 * The state machine of a sync: from a plan, what came of its tasks so far and how their objects are, to what is to
 * be done next. It keeps nothing and changes nothing, so every call may start from what is true at that moment.
 */
import type { Health } from "../health/health-status.ts";
import type { SyncPlan } from "./plan.ts";
import type { Wave } from "./stages.ts";
import { isWork, type SyncTask } from "./task.ts";

/** What came of a task: applied is to be settled yet, where its health matters. */
export type TaskOutcome =
  | { readonly kind: "applied" }
  | { readonly kind: "settled" }
  | { readonly kind: "failed"; readonly error: string };

/** What came of the tasks so far, by their id. */
export type Outcomes = ReadonlyMap<string, TaskOutcome>;

/** The health of a task's live object at this moment; undefined where its kind has none. */
export type HealthOf = (task: SyncTask) => Health | undefined;

/** A task with what came of it. */
export type SettledTask = readonly [SyncTask, TaskOutcome];

/** What is to be done next. */
export type Step =
  /** Do these, side by side, all of them. */
  | { readonly kind: "act"; readonly tasks: readonly SyncTask[] }
  /** Take down what their health says. */
  | { readonly kind: "settle"; readonly settled: readonly SettledTask[] }
  /** Ask again when the health of one of these may have changed. */
  | { readonly kind: "wait"; readonly tasks: readonly SyncTask[] }
  | { readonly kind: "end"; readonly failed: boolean };

/**
 * The next step. A wave is done stage by stage, whatever fails in it. The next wave begins when all of it went
 * well and is healthy; but nobody waits for health where nothing is left to be done. Hooks are always waited for.
 * What fails holds back all later waves, and brings the hooks of SyncFail.
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

/** The next step in a wave, undefined where nothing is left to be done in it. */
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

/** True where the end of the wave depends on how the task's object is. */
function isOpen(task: SyncTask, needsHealth: boolean, outcomes: Outcomes): boolean {
  const outcome = outcomes.get(task.id);
  const isDone = outcome === undefined ? !isWork(task) : outcome.kind === "applied";
  return isDone && (task.action === "hook" || (needsHealth && task.action !== "prune"));
}

/** What a health says about the task; nothing while it may still change. */
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
