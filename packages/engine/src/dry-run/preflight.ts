import { forEachBounded } from "@weir/base";
import { type SyncPlan, tasksOf } from "../plan/plan.ts";
import { isWork } from "../plan/task.ts";
import type { TaskOutcome } from "../run/outcome.ts";
import type { PlanRun } from "../run/run.ts";
import { DryRunner, type DryRunOptions } from "./dry-runner.ts";

/** The dependencies of a pre-flight check. */
export interface PreflightOptions extends DryRunOptions {
  readonly parallelism: number;
}

/**
 * Has the server try a whole plan before anything is changed. Resolves to the end of the sync if the server
 * refuses anything, and to undefined if not. What can't be checked isn't refused. Rejects when aborted.
 */
export async function preflight(
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
export function hasSharedTarget({ kept }: SyncPlan): boolean {
  return kept.some(({ isTarget, guard }) => isTarget && guard === "foreign");
}

/** The end of a sync that hasn't changed anything. */
export function refusedRun(outcomes: PlanRun["outcomes"] = new Map()): PlanRun {
  return { outcomes, deeds: new Map(), ending: "refused" };
}
