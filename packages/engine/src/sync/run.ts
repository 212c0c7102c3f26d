/**
 * Runs a plan: asks the state machine for the next step, performs it, records the outcome, and repeats until
 * the end or until the signal is aborted. The only file in this folder that waits for the outside world.
 */

import { type Clock, forEachBounded, messageOf } from "@weir/base";
import type { Deed } from "../operations/context.ts";
import type { SyncPlan } from "./plan.ts";
import { type HealthOf, nextStep, type TaskOutcome } from "./step.ts";
import type { SyncTask } from "./task.ts";

/** Performs the actions of a plan. */
export interface SyncActors {
  /** Rejects with an Error whose message is safe to show. */
  readonly perform: (task: SyncTask, signal: AbortSignal) => Promise<Deed>;
  readonly healthOf: HealthOf;
  /** Resolves when the health of one of the tasks may have changed; rejects if the signal is aborted. */
  readonly changed: (tasks: readonly SyncTask[], signal: AbortSignal) => Promise<void>;
}

/** How to run a plan. */
export interface RunOptions {
  readonly clock: Clock;
  /** How many tasks run at the same time. */
  readonly parallelism: number;
  /** How long to wait for a wave to become healthy. */
  readonly waitMs: number;
}

/** The outcome of a plan. */
export interface PlanRun {
  readonly outcomes: ReadonlyMap<string, TaskOutcome>;
  readonly deeds: ReadonlyMap<string, Deed>;
  readonly ending: "succeeded" | "failed" | "aborted";
}

/**
 * Runs a plan. Never rejects: failures are in the outcomes, and after an abort, the outcomes contain what was
 * done.
 */
export function runPlan(
  plan: SyncPlan,
  actors: SyncActors,
  options: RunOptions,
  signal: AbortSignal,
): Promise<PlanRun> {
  return new PlanRunner(plan, actors, options, signal).run();
}

class PlanRunner {
  readonly #plan: SyncPlan;
  readonly #actors: SyncActors;
  readonly #options: RunOptions;
  readonly #signal: AbortSignal;
  readonly #outcomes = new Map<string, TaskOutcome>();
  readonly #deeds = new Map<string, Deed>();
  #waitsUntil: number | undefined;

  constructor(plan: SyncPlan, actors: SyncActors, options: RunOptions, signal: AbortSignal) {
    this.#plan = plan;
    this.#actors = actors;
    this.#options = options;
    this.#signal = signal;
  }

  async run(): Promise<PlanRun> {
    while (!this.#signal.aborted) {
      const step = nextStep(this.#plan, this.#outcomes, this.#actors.healthOf);
      switch (step.kind) {
        case "act":
          await this.#act(step.tasks);
          break;
        case "settle":
          for (const [task, outcome] of step.settled) {
            this.#outcomes.set(task.id, outcome);
          }
          break;
        case "wait":
          await this.#wait(step.tasks);
          break;
        case "end":
          return this.#ended(step.failed ? "failed" : "succeeded");
      }
    }
    return this.#ended("aborted");
  }

  async #act(tasks: readonly SyncTask[]): Promise<void> {
    this.#waitsUntil = undefined;
    await forEachBounded(tasks, this.#options.parallelism, (task) => this.#perform(task), this.#signal);
  }

  async #perform(task: SyncTask): Promise<void> {
    try {
      this.#deeds.set(task.id, await this.#actors.perform(task, this.#signal));
      this.#outcomes.set(task.id, { kind: "applied" });
    } catch (error) {
      // It's unknown whether an interrupted task took effect: it counts as not started, and the next sync
      // finds out.
      if (!this.#signal.aborted) {
        this.#outcomes.set(task.id, { kind: "failed", error: messageOf(error) });
      }
    }
  }

  async #wait(tasks: readonly SyncTask[]): Promise<void> {
    const { clock, waitMs } = this.#options;
    this.#waitsUntil ??= clock.now() + waitMs;
    const leftMs = this.#waitsUntil - clock.now();
    if (leftMs <= 0) {
      this.#giveUp(tasks);
      return;
    }
    const enough = new AbortController();
    const either = AbortSignal.any([this.#signal, enough.signal]);
    const [changed, timeout] = [this.#actors.changed(tasks, either), clock.sleep(leftMs, either)];
    await Promise.race([changed, timeout]).catch(() => undefined);
    enough.abort();
    await Promise.allSettled([changed, timeout]);
  }

  #giveUp(tasks: readonly SyncTask[]): void {
    const seconds = this.#options.waitMs / 1000;
    for (const task of tasks) {
      const message = this.#actors.healthOf(task)?.message ?? "";
      const why = message === "" ? "" : `: ${message}`;
      this.#outcomes.set(task.id, { kind: "failed", error: `not healthy within ${seconds} s${why}` });
    }
  }

  #ended(ending: PlanRun["ending"]): PlanRun {
    return { outcomes: this.#outcomes, deeds: this.#deeds, ending };
  }
}
