/**
 * The state machine of a sync: computes the next step from a plan, the outcomes so far, and the health of the
 * objects. It stores and changes nothing, so each call can start from the current state.
 */

import type { SyncPlan } from "../plan/plan.ts";
import type { Wave } from "../plan/stages.ts";
import { isWork, type SyncTask } from "../plan/task.ts";
import type { Conditions, Outcomes, SettledTask } from "./outcome.ts";
import { limitOf, settle } from "./settle.ts";

/** What to do next. */
export type Step =
  /** Perform all of these tasks, in parallel. */
  | { readonly kind: "act"; readonly tasks: readonly SyncTask[] }
  /** Record the outcomes that follow from health, or from time limits. */
  | { readonly kind: "settle"; readonly settled: readonly SettledTask[] }
  /** Ask again when the health of one of these may have changed, but no later than at `until`. */
  | { readonly kind: "wait"; readonly tasks: readonly SyncTask[]; readonly until: number }
  | { readonly kind: "end"; readonly failed: boolean };

/**
 * The next step. A wave runs stage by stage, even if a task fails. The next wave begins when the whole wave
 * has succeeded and is healthy; if nothing is left to do, the sync doesn't wait for health. Hooks are always
 * waited for, each up to its own time limit. A failure holds back all later waves and triggers the SyncFail
 * hooks.
 */
export function nextStep(plan: SyncPlan, outcomes: Outcomes, conditions: Conditions): Step {
  const regular = plan.waves.filter(({ phase }) => phase !== "SyncFail");
  if (hasUnplannedFailure(plan, outcomes)) {
    return afterFailure(plan, outcomes, conditions);
  }
  let since = conditions.since;
  for (const [index, wave] of regular.entries()) {
    const isFollowed = regular.slice(index + 1).some((later) => hasWorkLeft(later, outcomes));
    const step = stepOf(wave, { isFollowed, outcomes, ...conditions, since });
    if (step !== undefined) {
      return step;
    }
    if (hasFailed(wave, outcomes)) {
      return afterFailure(plan, outcomes, conditions);
    }
    since = Math.max(since, latestIn(wave, outcomes));
  }
  return { kind: "end", failed: false };
}

/** The view of one wave. */
interface WaveConditions extends Conditions {
  readonly outcomes: Outcomes;
  /** True if later waves have something to do that hasn't begun. */
  readonly isFollowed: boolean;
}

function afterFailure(plan: SyncPlan, outcomes: Outcomes, conditions: Conditions): Step {
  for (const wave of plan.waves.filter(({ phase }) => phase === "SyncFail")) {
    const step = stepOf(wave, { isFollowed: false, outcomes, ...conditions });
    if (step !== undefined) {
      return step;
    }
  }
  return { kind: "end", failed: true };
}

/** The next step in a wave; undefined if nothing is left to do in it. */
function stepOf(wave: Wave, conditions: WaveConditions): Step | undefined {
  return workOf(wave, conditions) ?? waitOf(openTasks(wave, conditions), wave, conditions);
}

/** Stage by stage: performs what is due, and waits for what can't be performed yet. */
function workOf(wave: Wave, conditions: WaveConditions): Step | undefined {
  for (const stage of wave.stages) {
    const tasks = stage.filter((task) => isDue(task, conditions));
    if (tasks.length > 0) {
      return { kind: "act", tasks };
    }
    const step = waitOf(
      stage.filter(({ id }) => conditions.outcomes.get(id)?.kind === "clearing"),
      wave,
      conditions,
    );
    if (step !== undefined) {
      return step;
    }
  }
  return undefined;
}

/** Settles tasks whose health or time limit says so, or waits for them; undefined if there are none. */
function waitOf(open: readonly SyncTask[], wave: Wave, conditions: WaveConditions): Step | undefined {
  if (open.length === 0) {
    return undefined;
  }
  const waves = {
    ...conditions,
    since: Math.max(conditions.since, latestAppliedIn(wave, conditions.outcomes)),
  };
  const settled = open.flatMap((task) => settle(task, waves));
  return settled.length > 0
    ? { kind: "settle", settled }
    : { kind: "wait", tasks: open, until: Math.min(...open.map((task) => limitOf(task, waves).until)) };
}

/** True if the task is to be performed now. */
function isDue(task: SyncTask, { outcomes, healthOf }: WaveConditions): boolean {
  const kind = outcomes.get(task.id)?.kind;
  return (
    isWork(task) &&
    (kind === undefined ||
      kind === "started" ||
      (kind === "clearing" && healthOf(task)?.status === "Missing"))
  );
}

/** The tasks on whose health the end of the wave depends. */
function openTasks(wave: Wave, { isFollowed, outcomes }: WaveConditions): readonly SyncTask[] {
  const needsHealth = isFollowed && !hasFailed(wave, outcomes);
  return tasksOf(wave).filter((task) => {
    const outcome = outcomes.get(task.id);
    const isDone = outcome === undefined ? !isWork(task) : outcome.kind === "applied";
    return isDone && (task.action === "hook" || needsHealth);
  });
}

function hasWorkLeft(wave: Wave, outcomes: Outcomes): boolean {
  return tasksOf(wave).some((task) => isWork(task) && !outcomes.has(task.id));
}

/** A failure counts even if its task isn't planned anymore, such as an object to prune that is gone since. */
function hasUnplannedFailure({ waves }: SyncPlan, outcomes: Outcomes): boolean {
  const failed = [...outcomes].filter(([, { kind }]) => kind === "failed").map(([id]) => id);
  if (failed.length === 0) {
    return false;
  }
  const planned = new Set(waves.flatMap(tasksOf).map(({ id }) => id));
  return failed.some((id) => !planned.has(id));
}

function hasFailed(wave: Wave, outcomes: Outcomes): boolean {
  return tasksOf(wave).some(({ id }) => outcomes.get(id)?.kind === "failed");
}

/** The time of the last outcome in a wave. */
function latestIn(wave: Wave, outcomes: Outcomes): number {
  return tasksOf(wave).reduce((latest, { id }) => Math.max(latest, outcomes.get(id)?.at ?? 0), 0);
}

/** When the last task of a wave was performed whose health is still open. */
function latestAppliedIn(wave: Wave, outcomes: Outcomes): number {
  return tasksOf(wave).reduce((latest, { id }) => {
    const outcome = outcomes.get(id);
    return outcome?.kind === "applied" ? Math.max(latest, outcome.at) : latest;
  }, 0);
}

function tasksOf(wave: Wave): readonly SyncTask[] {
  return wave.stages.flat();
}
