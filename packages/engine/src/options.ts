import type { KubeObject } from "@weir/kube";
import type { PlanOptions } from "./sync/plan.ts";
import type { Target } from "./sync/reconcile.ts";
import type { SyncTask } from "./sync/task.ts";

/** How a set of targets is synced; everything has a default. */
export interface SyncOptions extends Partial<PlanOptions> {
  /** Names the set of targets, where a cluster is kept in step with several; "" by default. */
  readonly unit?: string;
  /** True: the server is asked what it would do, and does nothing. Hooks are not run. */
  readonly dryRun?: boolean;
  /** How many requests are under way at once; 24 by default. */
  readonly parallelism?: number;
  /** How long a wave may take to get healthy where something waits for it, in milliseconds; 5 minutes by default. */
  readonly waitMs?: number;
  /**
   * Gives up what has not begun when it is aborted: a cluster that is away is waited for no longer. What has begun
   * goes on.
   */
  readonly beginBy?: AbortSignal | undefined;
  /** Looks at the tasks before anything is done: returns those to be done, or throws to prevent the sync. */
  readonly review?: (tasks: readonly SyncTask[]) => readonly SyncTask[] | Promise<readonly SyncTask[]>;
}

/** What is synced, and how. */
export interface SyncRequest extends SyncOptions {
  readonly targets: readonly Target[];
  /** True for live objects that belong to these targets: those that are no longer among them may be pruned. */
  readonly isManaged: (live: KubeObject) => boolean;
  /** Of the manifests that the targets come from. */
  readonly revision: string;
}

/** What a sync goes by where its options say nothing else. */
const usual = {
  prune: "off",
  pruneLast: true,
  allowEmpty: false,
  hooks: "when-changed",
  method: "client-side",
} as const satisfies PlanOptions;

/** The options of a plan, with their defaults. A dry run runs no hooks. */
export function planOptionsOf({ dryRun, ...options }: SyncOptions): PlanOptions {
  return { ...usual, ...options, ...(dryRun === true ? { hooks: "never" as const } : {}) };
}
