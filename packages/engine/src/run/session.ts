import { type Logger, messageOf } from "@weir/base";
import { printKey, type ResourceKey } from "@weir/kube";
import type { ResourceCache } from "../cache/resource-cache.ts";
import { DryRunner } from "../dry-run/dry-runner.ts";
import type { HealthRule } from "../health/health-status.ts";
import type { Deed, OperationContext } from "../operations/context.ts";
import { KindFinder } from "../operations/kinds.ts";
import type { LeaveRule } from "../plan/leave.ts";
import { type SyncPlan, tasksOf } from "../plan/plan.ts";
import { type HookTask, isDeletion, type SyncTask } from "../plan/task.ts";
import { LiveHealth } from "./live-health.ts";
import { TaskPerformer } from "./performer.ts";
import { type Advance, type PlanRun, PlanRunner, type RunInput, type SyncActors } from "./run.ts";

/** The dependencies of one sync. */
export interface SessionOptions {
  readonly context: OperationContext;
  readonly cache: ResourceCache;
  readonly logger: Logger;
  readonly parallelism: number;
  readonly waitMs: number;
  readonly dryRun: boolean;
  readonly leave: LeaveRule;
  readonly ruleFor: (key: ResourceKey) => HealthRule | undefined;
  /** Stores the progress. */
  readonly save: SyncActors["save"];
}

/** Runs a plan in a cluster, and deletes hooks according to their policies, until it's stopped. */
export class SyncSession {
  readonly #options: SessionOptions;
  readonly #performer: TaskPerformer;
  readonly #lives: LiveHealth;
  readonly #runner: PlanRunner;
  /** Performs tasks, or only tries them. */
  readonly #doer: Pick<TaskPerformer, "perform">;
  #leave: LeaveRule;

  constructor(input: RunInput, options: SessionOptions) {
    const { context, cache, dryRun, ruleFor, waitMs, parallelism, save } = options;
    const tasks = tasksOf(input.plan);
    const targets = tasks.flatMap((task) => (isDeletion(task) ? [] : [task.target]));
    this.#options = options;
    this.#leave = options.leave;
    this.#performer = new TaskPerformer({
      context,
      kinds: new KindFinder(context, cache, targets),
      dryRun,
      waitMs,
      operation: input.record?.id ?? "",
      leave: (target, live) => this.#leave(target, live),
    });
    this.#doer = dryRun ? new DryRunner(tasks, options) : this.#performer;
    this.#lives = new LiveHealth({
      cache,
      follow: (object, signal) => this.#performer.follow(object, signal),
      ruleFor,
    });
    for (const task of tasks) {
      const uid = input.record?.tasks[task.id]?.uid;
      if (uid !== undefined) {
        this.#lives.expect(task, uid);
      }
    }
    const actors: SyncActors = {
      perform: (task, signal) => this.#perform(task, signal),
      // After a dry run, there is nothing to wait for.
      healthOf: (task) => (dryRun ? undefined : this.#lives.healthOf(task)),
      changed: (awaited, signal) => this.#lives.changed(awaited, signal),
      clear: (task, run, signal) => this.#clear(task, run, signal),
      save,
    };
    this.#runner = new PlanRunner(input, actors, { clock: context.clock, parallelism, waitMs });
  }

  /** The plan, including what was done according to earlier plans. */
  get plan(): SyncPlan {
    return this.#runner.plan;
  }

  /** Continues with a plan that was made again. */
  replan(plan: SyncPlan, leave: LeaveRule): void {
    this.#leave = leave;
    this.#runner.replan(plan);
  }

  /** Does everything that can be done now. Rejects only if the progress can't be stored. */
  advance(signal: AbortSignal): Promise<Advance> {
    return this.#runner.advance(signal);
  }

  /** Resolves when `advance` can do something; rejects if the signal is aborted. */
  changed(signal: AbortSignal): Promise<void> {
    return this.#runner.changed(signal);
  }

  /** What was done so far, if this is where it ends. */
  aborted(): PlanRun {
    return this.#runner.aborted();
  }

  /** Ends all watches. */
  stop(): Promise<void> {
    return this.#lives.stop();
  }

  async #perform(task: SyncTask, signal: AbortSignal): Promise<Deed> {
    const deed = await this.#doer.perform(task, signal);
    if (task.action === "hook" && deed.change === "deleted") {
      this.#lives.expectGone(task, deed.live);
    } else {
      this.#lives.note(task, deed.live);
    }
    return deed;
  }

  async #clear(
    task: HookTask,
    { outcomes, deeds }: Pick<PlanRun, "outcomes" | "deeds">,
    signal: AbortSignal,
  ): Promise<void> {
    const live = deeds.get(task.id)?.live;
    const kind = outcomes.get(task.id)?.kind;
    const policy = kind === "settled" ? "HookSucceeded" : "HookFailed";
    if (live === undefined || !task.deletePolicies.includes(policy)) {
      return;
    }
    try {
      await this.#performer.deleteHook(live, signal);
    } catch (error) {
      const { logger } = this.#options;
      logger.log({ warning: "cannot delete a hook", hook: printKey(task.key), err: messageOf(error) });
    }
  }
}
