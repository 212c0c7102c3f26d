/**
 * Runs a plan: asks the state machine for the next step, performs it, records the outcome, and repeats until
 * there is nothing to do but wait. What must survive a restart is stored before and after each action. The only
 * file in this folder that waits for the outside world.
 */

import { type Clock, forEachBounded, messageOf } from "@weir/base";
import type { Deed } from "../operations/context.ts";
import { type SyncPlan, tasksOf } from "../plan/plan.ts";
import { inWaves } from "../plan/stages.ts";
import type { HookTask, SyncTask } from "../plan/task.ts";
import { type OperationRecord, operationFailed } from "./operation-record.ts";
import type { HealthOf, Outcomes } from "./outcome.ts";
import { Progress } from "./progress.ts";
import { nextStep, type Step } from "./step.ts";

/** Performs the actions of a plan. */
export interface SyncActors {
  /**
   * Rejects with an Error whose message is safe to show. For a hook, "deleted" means that the object of an
   * earlier run is being deleted: the hook is performed again when its health is Missing.
   */
  readonly perform: (task: SyncTask, signal: AbortSignal) => Promise<Deed>;
  readonly healthOf: HealthOf;
  /** Resolves when the health of one of the tasks may have changed; rejects if the signal is aborted. */
  readonly changed: (tasks: readonly SyncTask[], signal: AbortSignal) => Promise<void>;
  /** Deletes the object of a finished hook if its policy says so. Never rejects. */
  readonly clear: (
    task: HookTask,
    run: Pick<PlanRun, "outcomes" | "deeds">,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Stores the progress; undefined removes it. Rejects if it can't be stored. */
  readonly save: (record: OperationRecord | undefined, signal: AbortSignal) => Promise<void>;
}

/** How to run a plan. */
export interface RunOptions {
  readonly clock: Clock;
  /** How many tasks run at the same time. */
  readonly parallelism: number;
  /** How long to wait for a wave to become healthy. */
  readonly waitMs: number;
}

/** What to run. */
export interface RunInput {
  readonly plan: SyncPlan;
  /** The progress so far; undefined if nothing needs to be recorded. */
  readonly record?: OperationRecord | undefined;
  /** What is stored now. */
  readonly stored?: OperationRecord | undefined;
}

/** The outcome of a plan. */
export interface PlanRun {
  readonly outcomes: Outcomes;
  readonly deeds: ReadonlyMap<string, Deed>;
  /** "refused": the server refused the plan before anything was changed. */
  readonly ending: "succeeded" | "failed" | "aborted" | "refused";
}

/** What came of running a plan as far as possible. */
export type Advance =
  | { readonly kind: "waiting"; readonly tasks: readonly SyncTask[] }
  | { readonly kind: "ended"; readonly run: PlanRun };

/** A plan that is being run. Its methods must not be called at the same time. */
export class PlanRunner {
  readonly #actors: SyncActors;
  readonly #options: RunOptions;
  readonly #progress: Progress;
  #plan: SyncPlan;
  #stored: OperationRecord | undefined;
  #since: number;

  constructor({ plan, record, stored }: RunInput, actors: SyncActors, options: RunOptions) {
    this.#plan = plan;
    this.#actors = actors;
    this.#options = options;
    this.#progress = new Progress(plan, record);
    this.#stored = stored;
    this.#since = options.clock.now();
  }

  /** The plan that is run, including what was done according to earlier plans. */
  get plan(): SyncPlan {
    return this.#plan;
  }

  /** Continues with a plan that was made again; what was done already stays done. */
  replan(plan: SyncPlan): void {
    const { outcomes } = this.#progress;
    const planned = new Set(tasksOf(plan).map(({ id }) => id));
    const others = tasksOf(this.#plan).filter(({ id }) => !planned.has(id) && outcomes.has(id));
    this.#plan = others.length === 0 ? plan : { ...plan, waves: inWaves([...others, ...tasksOf(plan)]) };
  }

  /**
   * Does everything that can be done now. Rejects only if the progress can't be stored; then it can be called
   * again. Failures of tasks are in the outcomes, and after an abort, the outcomes contain what was done.
   */
  async advance(signal: AbortSignal): Promise<Advance> {
    while (!signal.aborted) {
      const step = this.#next();
      switch (step.kind) {
        case "act":
          await this.#act(step.tasks, signal);
          break;
        case "settle":
          step.settled.forEach((settled) => this.#progress.settle(settled));
          break;
        case "wait":
          await this.#save(this.#progress.record, signal);
          return { kind: "waiting", tasks: step.tasks };
        case "end":
          await this.#end(step.failed, signal);
          return { kind: "ended", run: this.#run(step.failed ? "failed" : "succeeded") };
      }
    }
    return { kind: "ended", run: this.aborted() };
  }

  /** Resolves when `advance` can do something; rejects if the signal is aborted. */
  async changed(signal: AbortSignal): Promise<void> {
    for (let step = this.#next(); step.kind === "wait"; step = this.#next()) {
      await this.#untilNews(step.tasks, step.until, signal);
      signal.throwIfAborted();
    }
  }

  /** What was done so far, if this is where it ends. */
  aborted(): PlanRun {
    return this.#run("aborted");
  }

  #next(): Step {
    const { clock, waitMs } = this.#options;
    const now = clock.now();
    this.#since = Math.min(this.#since, now);
    this.#progress.clampTo(now);
    const conditions = { healthOf: this.#actors.healthOf, now, since: this.#since, waitMs };
    return nextStep(this.#plan, this.#progress.outcomes, conditions);
  }

  async #act(tasks: readonly SyncTask[], signal: AbortSignal): Promise<void> {
    this.#progress.begin(tasks, this.#options.clock.now());
    await this.#save(this.#progress.record, signal);
    await forEachBounded(tasks, this.#options.parallelism, (task) => this.#perform(task, signal), signal);
    await this.#save(this.#progress.record, signal);
  }

  async #perform(task: SyncTask, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    try {
      const deed = await this.#actors.perform(task, signal);
      this.#progress.performed(task, deed, clock.now());
    } catch (error) {
      // It's unknown whether an interrupted task took effect: it counts as not started, and the next sync
      // finds out.
      if (!signal.aborted) {
        this.#progress.settle([task, { kind: "failed", error: messageOf(error), at: clock.now() }]);
      }
    }
  }

  /** The record of a failed operation stays: its hooks are still due. */
  async #end(failed: boolean, signal: AbortSignal): Promise<void> {
    const { record } = this.#progress;
    const isRecorded = this.#stored?.failedAt !== undefined && this.#stored.id === record?.id;
    if (!failed || record === undefined) {
      await this.#save(undefined, signal);
    } else if (!isRecorded) {
      await this.#save(operationFailed(record, this.#options.clock.now()), signal);
    }
  }

  /**
   * Stores the progress if it isn't stored yet, and then clears the hooks that have finished: if a hook were
   * gone before its outcome is stored, it would run again after a restart.
   */
  async #save(record: OperationRecord | undefined, signal: AbortSignal): Promise<void> {
    if (record !== this.#stored) {
      if (!(await this.#store(record, signal))) {
        return;
      }
    }
    for (const task of this.#progress.takeFinished()) {
      await this.#actors.clear(task, this.#progress, signal);
    }
  }

  /** False if the signal was aborted first: then it's unknown what is stored. */
  async #store(record: OperationRecord | undefined, signal: AbortSignal): Promise<boolean> {
    try {
      signal.throwIfAborted();
      await this.#actors.save(record, signal);
    } catch (error) {
      if (!signal.aborted) {
        throw error;
      }
      return false;
    }
    this.#stored = record;
    return true;
  }

  async #untilNews(tasks: readonly SyncTask[], until: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const enough = new AbortController();
    const either = AbortSignal.any([signal, enough.signal]);
    const changed = this.#actors.changed(tasks, either);
    const timeout = clock.sleep(Math.max(0, until - clock.now()), either);
    await Promise.race([changed, timeout]).catch(() => undefined);
    enough.abort();
    await Promise.allSettled([changed, timeout]);
  }

  #run(ending: PlanRun["ending"]): PlanRun {
    const { outcomes, deeds } = this.#progress;
    return { outcomes, deeds, ending };
  }
}
