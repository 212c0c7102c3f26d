import type { Health } from "../health/health-status.ts";
import type { SyncTask } from "../plan/task.ts";

/**
 * The outcome of a task so far, and since when. Only "settled" and "failed" are final.
 *
 * - clearing: a hook that waits until the object of an earlier run is deleted
 * - started: a hook that may have been created; whoever performs it finds out
 * - applied: done, but the health of its object may matter
 */
export type TaskOutcome =
  | { readonly kind: "clearing" | "started" | "applied" | "settled"; readonly at: number }
  | { readonly kind: "failed"; readonly error: string; readonly at: number };

/** The outcomes of tasks so far, by task ID. */
export type Outcomes = ReadonlyMap<string, TaskOutcome>;

/** The current health of a task's live object; undefined if its kind has none. */
export type HealthOf = (task: SyncTask) => Health | undefined;

/** What decides about the next step, besides the plan and the outcomes. Times are in milliseconds. */
export interface Conditions {
  readonly healthOf: HealthOf;
  readonly now: number;
  /** No wait of a wave has begun before this time. */
  readonly since: number;
  /** How long to wait for a wave to become healthy, or for the object of an earlier hook to be deleted. */
  readonly waitMs: number;
}

/** A task and its outcome. */
export type SettledTask = readonly [SyncTask, TaskOutcome];
