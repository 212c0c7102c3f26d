import type { KubeObject } from "@weir/kube";
import type { ServerSideSettings } from "../operations/server-side-settings.ts";
import type { ServerSideDiff } from "./compare-options.ts";
import type { PlanOptions } from "./plan.ts";
import type { Target } from "./reconcile.ts";
import type { SyncTask } from "./task.ts";

/** How to sync a set of targets; all options have defaults. */
export interface SyncOptions extends Partial<PlanOptions> {
  /** The name of the set of targets, if several are synced to the same cluster; "" by default. */
  readonly unit?: string;
  /** True: the server predicts the result but changes nothing. Hooks don't run. */
  readonly dryRun?: boolean;
  /**
   * True: the server checks the whole plan first, with dry runs, and nothing is changed if it refuses anything.
   * What depends on a namespace or kind that the same plan creates can't be checked before. No SyncFail hook
   * runs for a refusal.
   */
  readonly preflight?: boolean;
  /**
   * True: nothing is changed if another tool or unit manages one of the targets, and it may not be taken over. Otherwise,
   * only that target is left alone.
   */
  readonly failOnSharedResource?: boolean;
  /** When the server is asked for differences, for objects that don't say so themselves; "auto" by default. */
  readonly serverSideDiff?: ServerSideDiff;
  /** How objects are applied server-side; as kubectl does, by default. */
  readonly serverSide?: ServerSideSettings;
  /** How many requests run at the same time; 24 by default. */
  readonly parallelism?: number;
  /** How long to wait for a wave to become healthy, in milliseconds; 5 minutes by default. */
  readonly waitMs?: number;
  /**
   * When aborted, tasks that haven't started are abandoned, so that the sync no longer waits for an
   * unreachable cluster. Tasks that have started continue.
   */
  readonly beginBy?: AbortSignal | undefined;
  /**
   * Counts the operations of a unit: one with a higher number replaces an unfinished one, and so does one with
   * the same number and another revision. 0 by default.
   */
  readonly generation?: number;
  /**
   * Reviews the tasks before the sync starts, and again when it continues after waiting: returns the tasks to
   * do, or throws to prevent the sync.
   */
  readonly review?: (tasks: readonly SyncTask[]) => readonly SyncTask[] | Promise<readonly SyncTask[]>;
}

/** What to sync, and how. */
export interface SyncRequest extends SyncOptions {
  readonly targets: readonly Target[];
  /** True for live objects that belong to these targets: those that are no longer targets may be pruned. */
  readonly isManaged: (live: KubeObject) => boolean;
  /** The revision of the targets' manifests. */
  readonly revision: string;
}

/** The defaults of a sync's options. */
const usual = {
  prune: "off",
  pruneLast: true,
  allowEmpty: false,
  hooks: "when-changed",
  method: "client-side",
} as const satisfies PlanOptions;

/** The options of a plan, with defaults. A dry run doesn't run hooks. */
export function planOptionsOf({ dryRun, ...options }: SyncOptions): PlanOptions {
  return { ...usual, ...options, ...(dryRun === true ? { hooks: "never" as const } : {}) };
}
