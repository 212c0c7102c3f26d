/**
 * One cluster kept in step: in go targets, out comes a result for each object. The parts in their order: what
 * lives (cache), what goes with what (sync/reconcile), what is to be done (sync/plan), and the doing (sync/run over
 * operations), which goes by what lives again. Between syncs it notices what leaves its target (drift).
 */
import { type Clock, type Logger, silentLogger, systemClock, type Unsubscribe } from "@weir/base";
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
import { type LeaveGuard, type SyncPlan, tasksOf } from "./sync/plan.ts";
import type { Target } from "./sync/reconcile.ts";
import { reportOf } from "./sync/report.ts";
import type { SyncResult } from "./sync/result.ts";
import type { PlanRun } from "./sync/run.ts";
import { inWaves } from "./sync/stages.ts";
import { carryOut } from "./sync-session.ts";
import { isSameObject } from "./target-memory.ts";

/** What a cluster engine is made of. */
export interface ClusterEngineOptions {
  readonly client: RestClient;
  readonly cache: ResourceCache;
  /** The patch rules of kinds; by default from the shipped table and the server. */
  readonly schemas?: SchemaSource;
  readonly overrides?: ResourceOverrides;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** How long news are gathered before they are looked at for drift, in milliseconds; 100 by default. */
  readonly driftDelayMs?: number;
}

/** The signal of a sync was aborted. What had been done until then is in the result. */
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
  /** Of the tasks that have something to do, in the order of the plan. */
  readonly tasks: readonly TaskPreview[];
}

/** Keeps one cluster in step with targets. */
export interface ClusterEngine {
  /** Watches what is managed, so that the first sync finds it known, and notices drift, until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Brings the targets to the cluster, and prunes what is managed and no target any more. Each call begins with
   * what lives at that moment, so it may be aborted at any time and called again; two syncs of one unit must not
   * overlap. What is refused is in the result. Rejects with DuplicateTargetError, with SyncAbortedError, with what
   * `review` throws, and where the cluster cannot be listed: then nothing was done.
   */
  sync(request: SyncRequest, signal: AbortSignal): Promise<SyncResult>;
  /** What a sync would do. Rejects as sync does. */
  plan(request: SyncRequest, signal: AbortSignal): Promise<SyncPlan>;
  /** What a sync would do, with the objects as they would be before and after. Rejects as sync does. */
  preview(request: SyncRequest, signal: AbortSignal): Promise<Preview>;
  /**
   * What applying one object would make of it, as the server says: admission and defaults included, and what
   * Secrets hold hidden. Rejects with an Error that reads as kubectl's.
   */
  predict(object: KubeObject, signal: AbortSignal): Promise<Prediction>;
  /** Tells of objects that leave the targets that they were synced to; only while the engine runs. */
  onDrift(listener: (drift: Drift) => void): Unsubscribe;
}

const usualParallelism = 24;
const usualWaitMs = 300_000;
const usualDriftDelayMs = 100;

/** Makes an engine for the cluster behind `client`, which `cache` watches. The caller closes both. */
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
  /** Units whose last sync did not come to its end: their hooks may still have work to do. */
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
    // A sync asks for the same, and tells what is wrong with it.
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
        targets: targets.map((target) => this.#sameAsBefore(target, unit)),
        isManaged,
        run: { revision, startedAt: this.#clock.now() },
        options: planOptionsOf({ ...request, hooks: hooks ?? this.#hooksDue(unit) }),
      },
      beginBy === undefined ? signal : AbortSignal.any([signal, beginBy]),
    );
    return review === undefined ? plan : { ...plan, waves: inWaves(await review(tasksOf(plan))) };
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

  #remember(plan: SyncPlan, run: PlanRun, { unit = "", leave }: SyncOptions): void {
    for (const task of tasksOf(plan)) {
      if ("method" in task && run.deeds.get(task.id)?.change === "unchanged") {
        this.#planner.verified(task.key, task.target);
      }
    }
    this.#drift.ended(unit, syncedBy(plan, run, leave), run.ending !== "aborted");
    if (run.ending === "succeeded") {
      this.#unfinished.delete(unit);
    } else {
      this.#unfinished.add(unit);
    }
  }

  /** Hooks go along with changes; but those of a sync that did not come to its end are still due. */
  #hooksDue(unit: string): "always" | "when-changed" {
    return this.#unfinished.has(unit) ? "always" : "when-changed";
  }

  /** The target as the last sync had it, where it says the same: what was found out about it still holds. */
  #sameAsBefore(target: Target, unit: string): Target {
    const before = this.#drift.syncedOf(unit).get(printKey(keyOf(target.object)))?.target;
    return before !== undefined && isSameObject(before, target.object)
      ? { ...target, object: before }
      : target;
  }
}

/** What a sync leaves to be kept an eye on; what failed is known not to be as it should. */
function syncedBy(plan: SyncPlan, run: PlanRun, leave: LeaveGuard | undefined): readonly SyncedTarget[] {
  return tasksOf(plan).flatMap((task) => {
    if (!("method" in task)) {
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
