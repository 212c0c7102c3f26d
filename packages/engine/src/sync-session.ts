import { type Logger, messageOf } from "@weir/base";
import { printKey, type ResourceKey } from "@weir/kube";
import type { ResourceCache } from "./cache/resource-cache.ts";
import type { HealthRule } from "./health/health-status.ts";
import { LiveHealth } from "./live-health.ts";
import type { OperationContext } from "./operations/context.ts";
import { KindFinder } from "./operations/kinds.ts";
import { TaskPerformer } from "./performer.ts";
import { type LeaveGuard, type SyncPlan, tasksOf } from "./sync/plan.ts";
import { type PlanRun, runPlan } from "./sync/run.ts";
import type { HookTask, SyncTask } from "./sync/task.ts";

/** The dependencies of one sync. */
export interface SessionOptions {
  readonly context: OperationContext;
  readonly cache: ResourceCache;
  readonly logger: Logger;
  readonly parallelism: number;
  readonly waitMs: number;
  readonly dryRun: boolean;
  readonly leave: LeaveGuard | undefined;
  readonly ruleFor: (key: ResourceKey) => HealthRule | undefined;
}

/** Runs a plan in a cluster, and deletes hooks according to their policies. Never rejects. */
export async function carryOut(
  plan: SyncPlan,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<PlanRun> {
  const { context, cache, dryRun, leave, ruleFor, waitMs, parallelism } = options;
  const tasks = tasksOf(plan);
  const targets = tasks.flatMap((task) => (task.action === "prune" ? [] : [task.target]));
  const kinds = new KindFinder(context, cache, targets);
  const performer = new TaskPerformer({ context, kinds, dryRun, leave, waitMs });
  const lives = new LiveHealth({
    cache,
    follow: (object, ended) => performer.follow(object, ended),
    ruleFor,
  });
  const actors = {
    async perform(task: SyncTask, ended: AbortSignal) {
      const deed = await performer.perform(task, ended);
      lives.note(task, deed.live);
      return deed;
    },
    // After a dry run, there is nothing to wait for.
    healthOf: (task: SyncTask) => (dryRun ? undefined : lives.healthOf(task)),
    changed: (awaited: readonly SyncTask[], ended: AbortSignal) => lives.changed(awaited, ended),
  };
  const run = await runPlan(plan, actors, { clock: context.clock, parallelism, waitMs }, signal);
  await lives.stop();
  await clearHooks(tasks, run, performer, options.logger, signal);
  return run;
}

async function clearHooks(
  tasks: readonly SyncTask[],
  { outcomes, deeds }: PlanRun,
  performer: TaskPerformer,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const over = tasks.filter((task) => task.action === "hook").filter((task) => isToBeCleared(task, outcomes));
  for (const task of over) {
    try {
      await performer.deleteHook(task, deeds.get(task.id)?.live, signal);
    } catch (error) {
      logger.log({ warning: "cannot delete a hook", hook: printKey(task.key), err: messageOf(error) });
    }
  }
}

function isToBeCleared({ id, deletePolicies }: HookTask, outcomes: PlanRun["outcomes"]): boolean {
  const kind = outcomes.get(id)?.kind;
  return (
    (kind === "settled" && deletePolicies.includes("HookSucceeded")) ||
    (kind === "failed" && deletePolicies.includes("HookFailed"))
  );
}
