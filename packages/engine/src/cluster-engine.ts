/**
 * Keeps one cluster in sync: takes targets, and returns a result for each object. The parts, in order: the
 * live objects (cache), matching them with targets (sync/reconcile), deciding what to do (sync/plan), and
 * doing it (sync/run with operations), which reads the live objects again. Between syncs, it detects objects
 * that no longer match their targets (drift).
 */
import { type Clock, type Logger, orAborted, silentLogger, systemClock, type Unsubscribe } from "@weir/base";
import { type KubeObject, keyOf, printKey, type ResourceKey } from "@weir/kube";
import { createSchemaSource, type RestClient, type SchemaSource } from "@weir/kube/rest";
import type { ResourceCache } from "./cache/resource-cache.ts";
import { type Drift, DriftWatch, type SyncedTarget } from "./drift.ts";
import type { OperationContext } from "./operations/context.ts";
import { type Prediction, predictApply } from "./operations/dry-run.ts";
import { KindFinder } from "./operations/kinds.ts";
import { readObject } from "./operations/read.ts";
import { planOptionsOf, type SyncOptions, type SyncRequest } from "./options.ts";
import { overrideFor, type ResourceOverrides } from "./overrides.ts";
import { Planner } from "./planner.ts";
import { previewTasks, type TaskPreview } from "./preview.ts";
import { withNamespace } from "./sync/namespace.ts";
import { type LeaveGuard, type SyncPlan, tasksOf } from "./sync/plan.ts";
import type { Target } from "./sync/reconcile.ts";
import { reportOf } from "./sync/report.ts";
import type { SyncResult } from "./sync/result.ts";
import type { PlanRun } from "./sync/run.ts";
import { inWaves } from "./sync/stages.ts";
import { carryOut } from "./sync-session.ts";
import { isSameObject } from "./target-memory.ts";

/** The dependencies of a cluster engine. */
export interface ClusterEngineOptions {
  readonly client: RestClient;
  readonly cache: ResourceCache;
  /** The patch rules of kinds; by default, from the built-in table and the server. */
  readonly schemas?: SchemaSource;
  readonly overrides?: ResourceOverrides;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** How long changes are collected before they're checked for drift, in milliseconds; 100 by default. */
  readonly driftDelayMs?: number;
}

/** The signal of a sync was aborted. The result contains what was done until then. */
export class SyncAbortedError extends Error {
  override readonly name = "SyncAbortedError";
  readonly result: SyncResult;

  constructor(result: SyncResult, options: ErrorOptions) {
    super(result.message, options);
    this.result = result;
  }
}

/** What a sync would do. */
export interface Preview {
  readonly plan: SyncPlan;
  /** The tasks that would do something, in the order of the plan. */
  readonly tasks: readonly TaskPreview[];
}

/** Keeps one cluster in sync with targets. */
export interface ClusterEngine {
  /**
   * Watches managed objects, so that the first sync can start immediately, and detects drift, until the
   * signal is aborted.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Applies the targets to the cluster, and prunes managed objects that are no longer targets. Each call
   * starts from the live objects, so it can be aborted at any time and repeated; two syncs of the same unit
   * must not overlap. The result contains the objects that were refused. Rejects with DuplicateTargetError,
   * with SyncAbortedError, with the error of `review`, or if the cluster can't be listed; in the last case,
   * nothing was done.
   */
  sync(request: SyncRequest, signal: AbortSignal): Promise<SyncResult>;
  /** What a sync would do. Rejects like sync. */
  plan(request: SyncRequest, signal: AbortSignal): Promise<SyncPlan>;
  /** What a sync would do, with each object before and after it. Rejects like sync. */
  preview(request: SyncRequest, signal: AbortSignal): Promise<Preview>;
  /**
   * What an object would look like after it's applied, according to the server: including admission and
   * defaults, with the values of Secrets hidden. Rejects with an Error whose message is kubectl's.
   */
  predict(object: KubeObject, signal: AbortSignal): Promise<Prediction>;
  /** Reports objects that no longer match the targets they were synced to; only while the engine runs. */
  onDrift(listener: (drift: Drift) => void): Unsubscribe;
}

const usualParallelism = 24;
const usualWaitMs = 300_000;
const usualDriftDelayMs = 100;

/** Creates an engine for the cluster behind `client`, which `cache` watches. The caller closes both. */
export function createClusterEngine(options: ClusterEngineOptions): ClusterEngine {
  return new RestClusterEngine(options);
}

class RestClusterEngine implements ClusterEngine {
  readonly #options: ClusterEngineOptions;
  readonly #clock: Clock;
  readonly #schemas: SchemaSource;
  readonly #overrides: ResourceOverrides;
  readonly #planner: Planner;
  readonly #drift: DriftWatch;
  /** Units whose last sync didn't finish: their hooks may still be due. */
  readonly #unfinished = new Set<string>();

  constructor(options: ClusterEngineOptions) {
    const { cache, client, clock = systemClock, overrides = {}, driftDelayMs = usualDriftDelayMs } = options;
    this.#options = options;
    this.#clock = clock;
    this.#overrides = overrides;
    this.#schemas = options.schemas ?? createSchemaSource(client);
    this.#planner = new Planner({ cache, schemas: this.#schemas, overrides });
    this.#drift = new DriftWatch({
      clock,
      delayMs: driftDelayMs,
      look: (synced) => this.#planner.driftOf(synced),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { cache } = this.#options;
    const unsubscribe = cache.subscribe(({ key }) => this.#drift.note(key));
    // A sync watches the same objects, and reports errors.
    cache.watchManaged(signal).catch(() => undefined);
    await untilAborted(signal);
    unsubscribe();
    this.#drift.stop();
  }

  onDrift(listener: (drift: Drift) => void): Unsubscribe {
    return this.#drift.subscribe(listener);
  }

  async plan(request: SyncRequest, signal: AbortSignal): Promise<SyncPlan> {
    const { targets, isManaged, revision, unit = "", hooks, review, beginBy } = request;
    const plan = await this.#planner.plan(
      {
        targets: withNamespace(targets, request).map((target) => this.#sameAsBefore(target, unit)),
        isManaged,
        run: { revision, startedAt: this.#clock.now() },
        options: planOptionsOf({ ...request, hooks: hooks ?? this.#hooksDue(unit) }),
      },
      beginBy === undefined ? signal : AbortSignal.any([signal, beginBy]),
    );
    if (review === undefined) {
      return plan;
    }
    return { ...plan, waves: inWaves(await orAborted(Promise.resolve(review(tasksOf(plan))), signal)) };
  }

  async sync(request: SyncRequest, signal: AbortSignal): Promise<SyncResult> {
    const { revision, dryRun, unit = "" } = request;
    const plan = await this.plan(request, signal);
    if (dryRun === true) {
      return resultOf(plan, await this.#carryOut(plan, request, signal), revision, signal);
    }
    this.#drift.began(unit);
    const run = await this.#carryOut(plan, request, signal);
    this.#remember(plan, run, request);
    return resultOf(plan, run, revision, signal);
  }

  async preview(request: SyncRequest, signal: AbortSignal): Promise<Preview> {
    const plan = await this.plan(request, signal);
    const { parallelism = usualParallelism, waitMs = usualWaitMs, leave } = request;
    const { cache } = this.#options;
    const tasks = tasksOf(plan).filter(({ phase }) => phase !== "SyncFail");
    const looking = { context: this.#context(), cache, parallelism, waitMs, leave };
    return { plan, tasks: await previewTasks(tasks, looking, signal) };
  }

  async predict(object: KubeObject, signal: AbortSignal): Promise<Prediction> {
    const context = this.#context();
    const resource = await new KindFinder(context, this.#options.cache, []).find(object, signal);
    const live = await readObject(context, resource, object, signal);
    return predictApply(context, { resource, target: object, known: { live, fresh: true } }, signal);
  }

  #context(): OperationContext {
    const { cache, client } = this.#options;
    return { client, cache, schemas: this.#schemas, clock: this.#clock };
  }

  #carryOut(plan: SyncPlan, options: SyncOptions, signal: AbortSignal): Promise<PlanRun> {
    const { cache, logger = silentLogger } = this.#options;
    const { dryRun = false, parallelism = usualParallelism, waitMs = usualWaitMs, leave } = options;
    const context = this.#context();
    const ruleFor = (key: ResourceKey) => overrideFor(this.#overrides, key).health;
    return carryOut(plan, { context, cache, logger, parallelism, waitMs, dryRun, leave, ruleFor }, signal);
  }

  #remember(plan: SyncPlan, run: PlanRun, { unit = "", leave, selection }: SyncOptions): void {
    for (const task of tasksOf(plan)) {
      if ("method" in task && run.deeds.get(task.id)?.change === "unchanged") {
        this.#planner.verified(task.key, task.target);
      }
    }
    const isWhole = selection === undefined;
    this.#drift.ended(unit, syncedBy(plan, run, leave), isWhole && run.ending !== "aborted");
    if (!isWhole) {
      return;
    }
    if (run.ending === "succeeded") {
      this.#unfinished.delete(unit);
    } else {
      this.#unfinished.add(unit);
    }
  }

  /** Hooks run along with changes, but hooks of an unfinished sync are still due. */
  #hooksDue(unit: string): "always" | "when-changed" {
    return this.#unfinished.has(unit) ? "always" : "when-changed";
  }

  /** The target of the last sync if it's equal: what was computed for it is still valid. */
  #sameAsBefore(target: Target, unit: string): Target {
    const before = this.#drift.syncedOf(unit).get(printKey(keyOf(target.object)))?.target;
    return before !== undefined && isSameObject(before, target.object)
      ? { ...target, object: before }
      : target;
  }
}

/** The objects to check for drift after a sync; a failed object is already known to differ. */
function syncedBy(plan: SyncPlan, run: PlanRun, leave: LeaveGuard | undefined): readonly SyncedTarget[] {
  return tasksOf(plan).flatMap((task) => {
    if (!("method" in task) || task.createOnly === true) {
      return [];
    }
    const { key, target, method, id } = task;
    const isThere = task.action === "unchanged" || (run.deeds.get(id)?.change ?? "none") !== "none";
    const hasFailed = run.outcomes.get(id)?.kind === "failed";
    return isThere && !hasFailed ? [{ key, target, method, leave }] : [];
  });
}

function resultOf(plan: SyncPlan, run: PlanRun, revision: string, signal: AbortSignal): SyncResult {
  const result = reportOf(plan, run, revision);
  if (run.ending === "aborted") {
    throw new SyncAbortedError(result, { cause: signal.reason });
  }
  return result;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    } else {
      signal.addEventListener("abort", () => resolve(), { once: true });
    }
  });
}
