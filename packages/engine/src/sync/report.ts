import type { Deed } from "../operations/context.ts";
import type { KeptObject } from "./guards.ts";
import type { TaskOutcome } from "./outcome.ts";
import { type SyncPlan, tasksOf } from "./plan.ts";
import type { ResourceResult, ResultCode, SyncResult } from "./result.ts";
import type { PlanRun } from "./run.ts";
import { isWork, type SyncTask } from "./task.ts";

/** The result of a plan, object by object. Hooks for failures that didn't happen are omitted. */
export function reportOf(plan: SyncPlan, run: PlanRun, revision: string): SyncResult {
  const tasks = tasksOf(plan).filter((task) => task.phase !== "SyncFail" || run.outcomes.has(task.id));
  const resources = [...tasks.map((task) => resultOf(task, run)), ...plan.kept.map(keptResult)];
  const phase = run.ending === "succeeded" ? "Succeeded" : run.ending === "failed" ? "Failed" : "Error";
  return { revision, phase, message: messageOf(run.ending, resources), resources };
}

function resultOf(task: SyncTask, { outcomes, deeds, ending }: PlanRun): ResourceResult {
  const { key, phase, wave } = task;
  const outcome = outcomes.get(task.id);
  const deed = deeds.get(task.id) ?? { change: isWork(task) ? "none" : "unchanged" };
  const reason = codeOf(task, outcome, deed) === "HeldBack" ? whyHeldBack(ending) : deed.reason;
  return {
    key,
    phase,
    wave,
    code: codeOf(task, outcome, deed),
    change: deed.change,
    ...(outcome?.kind === "failed" ? { error: outcome.error } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

function codeOf(task: SyncTask, outcome: TaskOutcome | undefined, deed: Deed): ResultCode {
  if (outcome?.kind === "failed") {
    return "SyncFailed";
  }
  if (isWork(task) && !isDone(outcome)) {
    return "HeldBack";
  }
  const hasEffect = deed.change !== "none";
  if (task.action === "prune") {
    return hasEffect ? "Pruned" : "PruneSkipped";
  }
  return hasEffect ? "Synced" : "Skipped";
}

function isDone(outcome: TaskOutcome | undefined): boolean {
  return outcome?.kind === "applied" || outcome?.kind === "settled";
}

function whyHeldBack(ending: PlanRun["ending"]): string {
  return ending === "aborted" ? "the sync ended first" : "an earlier step failed";
}

function keptResult({ key, guard, reason, isTarget }: KeptObject): ResourceResult {
  const code = isTarget ? "Skipped" : "PruneSkipped";
  return { key, phase: "Sync", wave: 0, code, change: "none", guard, reason };
}

function messageOf(ending: PlanRun["ending"], resources: readonly ResourceResult[]): string {
  const failed = resources.filter(({ code }) => code === "SyncFailed").length;
  const heldBack = resources.filter(({ code }) => code === "HeldBack").length;
  const rest = heldBack === 0 ? "" : `, ${heldBack} were not started`;
  switch (ending) {
    case "succeeded":
      return "all objects match their targets";
    case "failed":
      return `${failed} of ${resources.length} objects failed${rest}`;
    case "aborted":
      return `the sync was aborted: ${failed} objects failed${rest}`;
  }
}
