import { printKey } from "@weir/kube";
import type { Deed } from "../operations/context.ts";
import { alreadyGoing, type GuardName, type KeptObject } from "../plan/guards.ts";
import { type SyncPlan, tasksOf } from "../plan/plan.ts";
import { isDeletion, isWork, type SyncTask } from "../plan/task.ts";
import type { TaskOutcome } from "./outcome.ts";
import type { OperationPhase, ResourceResult, ResultCode, SyncResult } from "./result.ts";
import type { PlanRun } from "./run.ts";

const phases = {
  succeeded: "Succeeded",
  failed: "Failed",
  refused: "Failed",
  aborted: "Error",
} as const satisfies Readonly<Record<PlanRun["ending"], OperationPhase>>;

/** The result of a plan, object by object. Hooks for failures that didn't happen are omitted. */
export function reportOf(plan: SyncPlan, run: PlanRun, revision: string): SyncResult {
  const tasks = tasksOf(plan).filter((task) => task.phase !== "SyncFail" || run.outcomes.has(task.id));
  const resources = [...tasks.map((task) => resultOf(task, run)), ...plan.kept.map(keptResult)];
  const phase = phases[run.ending];
  const refused = run.ending === "refused" ? { isRefused: true } : {};
  return { revision, phase, message: messageOf(run.ending, resources), ...refused, resources };
}

function resultOf(task: SyncTask, { outcomes, deeds, ending }: PlanRun): ResourceResult {
  const { key, phase, wave } = task;
  const outcome = outcomes.get(task.id);
  const deed = deeds.get(task.id) ?? deedWithout(task);
  const reason = codeOf(task, outcome, deed) === "HeldBack" ? whyHeldBack(ending) : deed.reason;
  return {
    key,
    phase,
    wave,
    code: codeOf(task, outcome, deed),
    change: deed.change,
    ...(outcome?.kind === "failed" ? { error: outcome.error } : {}),
    ...(deed.guard === undefined ? {} : { guard: deed.guard }),
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
  if (isDeletion(task)) {
    return hasEffect ? "Pruned" : "PruneSkipped";
  }
  return hasEffect ? "Synced" : "Skipped";
}

/** What came of a task that wasn't performed. */
function deedWithout(task: SyncTask): Deed {
  if (task.action === "going") {
    return { change: "none", reason: alreadyGoing, guard: "being-deleted" };
  }
  return { change: isWork(task) ? "none" : "unchanged" };
}

function isDone(outcome: TaskOutcome | undefined): boolean {
  return outcome?.kind === "applied" || outcome?.kind === "settled";
}

function whyHeldBack(ending: PlanRun["ending"]): string {
  switch (ending) {
    case "aborted":
      return "the sync ended first";
    case "refused":
      return "the server refuses other objects of the same sync";
    case "succeeded":
    case "failed":
      return "an earlier step failed";
  }
}

function keptResult({ key, uid, guard, reason, isTarget }: KeptObject): ResourceResult {
  const code = isTarget ? "Skipped" : "PruneSkipped";
  const known = uid === undefined ? {} : { uid };
  return { key, ...known, phase: "Sync", wave: 0, code, change: "none", guard, reason };
}

function messageOf(ending: PlanRun["ending"], resources: readonly ResourceResult[]): string {
  const failed = resources.filter(({ code }) => code === "SyncFailed").length;
  const heldBack = resources.filter(({ code }) => code === "HeldBack").length;
  const rest = heldBack === 0 ? "" : `, ${heldBack} were not started`;
  switch (ending) {
    case "succeeded":
      return succeededMessage(resources);
    case "failed":
      return `${failed} of ${resources.length} objects failed${rest}`;
    case "refused":
      return `nothing was changed, because ${refusalIn(resources, failed)}`;
    case "aborted":
      return `the sync was aborted: ${failed} objects failed${rest}`;
  }
}

/** Unless the server refuses something, it's because targets are shared. */
function refusalIn(resources: readonly ResourceResult[], failed: number): string {
  const shared = resources.filter(({ code, guard }) => code === "Skipped" && guard === "foreign");
  return failed === 0 && shared.length > 0
    ? `others manage ${some(shared)}`
    : `the server refuses ${failed} of ${resources.length} objects`;
}

/** What a guard held back isn't a failure, but somebody has to decide about it. */
function succeededMessage(resources: readonly ResourceResult[]): string {
  const byGuard = (wanted: GuardName): readonly ResourceResult[] =>
    resources.filter(({ guard }) => guard === wanted);
  const [foreign, unconfirmed, excess] = [byGuard("foreign"), byGuard("unconfirmed"), byGuard("prune-limit")];
  const parts = [
    foreign.length === 0 ? [] : [`others manage ${some(foreign)}`],
    unconfirmed.length === 0 ? [] : [`the deletion of ${some(unconfirmed)} has not been confirmed`],
    excess.length === 0 ? [] : [`nothing was pruned: ${excess[0]?.reason ?? ""}: ${some(excess)}`],
  ].flat();
  return parts.length === 0 ? "all objects match their targets" : parts.join("; ");
}

/** How many names a message contains. */
const mostNames = 10;

function some(resources: readonly ResourceResult[]): string {
  const names = resources.slice(0, mostNames).map(({ key }) => printKey(key));
  const more = resources.length - names.length;
  return `${names.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
