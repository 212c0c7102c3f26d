import { AnyAbort, forEachBounded } from "@weir/base";
import { type SyncPlan, tasksOf } from "../plan/plan.ts";
import type { SyncRequest } from "../plan/sync-request.ts";
import { isWork } from "../plan/task.ts";
import type { TaskOutcome } from "../run/outcome.ts";
import type { PlanRun } from "../run/run.ts";
import { DryRunner, type DryRunOptions } from "./dry-runner.ts";

/** The dependencies of a pre-flight check. */
export interface PreflightOptions extends DryRunOptions {
  readonly parallelism: number;
}

/**
 * How a sync ends that must not begin with its plan, because others manage targets, or because the server refuses
 * anything; undefined if it may begin. What can't be checked isn't refused. Like the planning before it, this no longer
 * waits for the cluster after `beginBy`. Rejects when aborted.
 */
export async function preflight(
  request: Pick<SyncRequest, "failOnSharedResource" | "preflight" | "beginBy">,
  plan: SyncPlan,
  options: PreflightOptions,
  signal: AbortSignal,
): Promise<PlanRun | undefined> {
  if (request.failOnSharedResource === true && hasSharedTarget(plan)) {
    return refusedRun();
  }
  if (request.preflight !== true) {
    return undefined;
  }
  using limit = new AnyAbort(signal, ...(request.beginBy === undefined ? [] : [request.beginBy]));
  return await tryAll(plan, options, limit.signal);
}

/** Has the server try a whole plan before anything is changed. */
async function tryAll(
  plan: SyncPlan,
  options: PreflightOptions,
  signal: AbortSignal,
): Promise<PlanRun | undefined> {
  const tasks = tasksOf(plan).filter(isWork);
  const runner = new DryRunner(tasksOf(plan), options);
  const outcomes = new Map<string, TaskOutcome>();
  await forEachBounded(
    tasks,
    options.parallelism,
    async (task) => {
      const result = await runner.try(task, signal);
      if (result.kind === "refused") {
        outcomes.set(task.id, { kind: "failed", error: result.error, at: options.context.clock.now() });
      }
    },
    signal,
  );
  signal.throwIfAborted();
  return outcomes.size === 0 ? undefined : refusedRun(outcomes);
}

/** True if somebody else manages a target. */
function hasSharedTarget({ kept }: SyncPlan): boolean {
  return kept.some(({ isTarget, guard }) => isTarget && guard === "foreign");
}

/** The end of a sync that hasn't changed anything. */
function refusedRun(outcomes: PlanRun["outcomes"] = new Map()): PlanRun {
  return { outcomes, deeds: new Map(), ending: "refused" };
}
