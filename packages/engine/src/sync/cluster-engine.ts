import type { Clock, Logger, Unsubscribe } from "@weir/base";
import type { RestClient, SchemaSource } from "@weir/kube/rest";
import type { ResourceCache } from "../cache/resource-cache.ts";
import type { Drift, DriftMemory } from "../drift/drift-memory.ts";
import type { TaskPreview } from "../dry-run/preview.ts";
import type { ResourceOverrides } from "../health/overrides.ts";
import type { KeptObject } from "../plan/guards.ts";
import type { SyncPlan } from "../plan/plan.ts";
import type { Target } from "../plan/reconcile.ts";
import type { SyncRequest } from "../plan/sync-request.ts";
import type { OperationStore } from "../run/operation-record.ts";
import type { SyncResult } from "../run/result.ts";
import type { SyncProgress } from "./sync-progress.ts";

/** Keeps one cluster in sync with targets. */
export interface ClusterEngine {
  /** Detects drift until the signal is aborted. What to watch is up to the plans, and to what they're expected to have. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Announces a sync or plan whose targets are still being read, so that the cluster is listed meanwhile. It doesn't
   * change the result, whatever is announced.
   */
  expectTargets(options?: Pick<SyncRequest, "unit" | "helmHooks">): ExpectedTargets;
  /**
   * Applies the targets to the cluster, and prunes managed objects that are no longer targets. It can be
   * aborted at any time: the next call with the same revision and generation continues, even in another
   * process if `operations` lasts that long; hooks that run are waited for, and hooks that have finished don't
   * run again. A call with another revision or a higher generation replaces it. The result contains the
   * objects that were refused. Rejects with DuplicateTargetError, with SyncAbortedError, with SyncReplacedError,
   * with the error of `review` or `operations`, or if the cluster can't be listed; in the last case, nothing
   * was done.
   */
  sync(request: SyncRequest, signal: AbortSignal): Promise<SyncResult>;
  /**
   * Like `sync`, but where `sync` waits for hooks or for a wave to become healthy, this returns. The caller
   * calls it again when `changed` resolves, or at any other time; the same request continues the operation. A
   * sync with a selection has no hooks, and waits for its waves.
   */
  advance(request: SyncRequest, signal: AbortSignal): Promise<SyncProgress>;
  /** What a sync would do. Rejects like sync. */
  plan(request: SyncRequest, signal: AbortSignal): Promise<SyncPlan>;
  /** What a sync would do, with each object before and after it. Rejects like sync. */
  preview(request: SyncRequest, signal: AbortSignal): Promise<Preview>;
  /**
   * Confirms the deletion of an object that a plan keeps as "unconfirmed"; a sync within an hour prunes it. Rejects
   * with an Error whose message is kubectl's, also if another object has its name now.
   */
  confirmDeletion(kept: Pick<KeptObject, "key" | "uid">, signal: AbortSignal): Promise<void>;
  /** Reports objects that no longer match the targets they were synced to; only while the engine runs. */
  onDrift(listener: (drift: Drift) => void): Unsubscribe;
}

/** The dependencies of a cluster engine. */
export interface ClusterEngineOptions {
  readonly client: RestClient;
  readonly cache: ResourceCache;
  /** The patch rules of kinds; by default, from the built-in table and the server. */
  readonly schemas?: SchemaSource;
  readonly overrides?: ResourceOverrides;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Keeps what a sync with hooks needs to survive a restart; in memory by default. */
  readonly operations?: OperationStore;
  /** Makes the random IDs of operations. */
  readonly newId?: () => string;
  /** How long changes are collected before they're checked for drift, in milliseconds; 100 by default. */
  readonly driftDelayMs?: number;
  /**
   * What was synced before, by an engine that this one replaces: when it runs, everything is compared again.
   * Both can run at the same time, while syncs of the old one end.
   */
  readonly driftMemory?: DriftMemory;
}

/** What a sync would do. */
export interface Preview {
  readonly plan: SyncPlan;
  /** The tasks that would do something, in the order of the plan. */
  readonly tasks: readonly TaskPreview[];
}

/** Targets that the next sync or plan of a unit probably has. Disposed when there's no such sync or plan, or after it. */
export interface ExpectedTargets extends Disposable {
  add(target: Target): void;
}
