/**
 * Keeps one cluster in sync: takes targets, and returns a result for each object. The parts, in order: the
 * live objects (cache), matching them with targets (sync/reconcile), deciding what to do (sync/plan), and
 * doing it (sync/run with operations), which reads the live objects again. A sync that has to wait for hooks
 * or waves continues later, even after a restart (unit-sync). Between syncs, it detects objects that no longer
 * match their targets (drift).
 */
import { randomUUID } from "node:crypto";
import {
  AnyAbort,
  abortReason,
  type Clock,
  type Logger,
  orAborted,
  silentLogger,
  systemClock,
  toError,
  type Unsubscribe,
} from "@weir/base";
import type { ResourceKey } from "@weir/kube";
import { createSchemaSource, type RestClient, type SchemaSource } from "@weir/kube/rest";
import type { ResourceCache } from "./cache/resource-cache.ts";
import { type Drift, DriftMemory, DriftWatch, type SyncedTarget } from "./drift/drift.ts";
import { hasSharedTarget, preflight, refusedRun } from "./dry-run/preflight.ts";
import { previewTasks, type TaskPreview } from "./dry-run/preview.ts";
import { ServerDiff } from "./dry-run/server-diff.ts";
import { overrideFor, type ResourceOverrides } from "./health/overrides.ts";
import { IgnoredFields } from "./ignore/ignored-fields.ts";
import { JqThread } from "./ignore/jq.ts";
import { confirmDeletion } from "./operations/confirm-deletion.ts";
import type { OperationContext } from "./operations/context.ts";
import { OperationError } from "./operations/operation-error.ts";
import type { KeptObject } from "./plan/guards.ts";
import { identityOf } from "./plan/identity.ts";
import { type LeaveRule, leaveRuleOf } from "./plan/leave.ts";
import { withNamespace } from "./plan/namespace.ts";
import { type SyncPlan, tasksOf } from "./plan/plan.ts";
import { Planner } from "./plan/planner.ts";
import type { Target } from "./plan/reconcile.ts";
import { inWaves } from "./plan/stages.ts";
import { planOptionsOf, type SyncRequest } from "./plan/sync-request.ts";
import { isSameObject } from "./plan/target-memory.ts";
import { createMemoryOperationStore, type OperationStore } from "./run/operation-record.ts";
import type { SyncResult } from "./run/result.ts";
import type { PlanRun, RunInput, SyncActors } from "./run/run.ts";
import { SyncSession } from "./run/session.ts";
import { progressOf, resultOf, type SyncProgress, untilReady } from "./sync/sync-progress.ts";
import {
  type HowToPlan,
  PlanRefusedError,
  type RunningOperation,
  type UnitProgress,
  UnitSync,
} from "./sync/unit-sync.ts";

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
  readonly #ignored: IgnoredFields;
  readonly #planner: Planner;
  readonly #memory: DriftMemory;
  readonly #drift: DriftWatch;
  readonly #operations: OperationStore;
  readonly #units = new Map<string, UnitSync>();

  constructor(options: ClusterEngineOptions) {
    const { cache, client, clock = systemClock, overrides = {}, driftDelayMs = usualDriftDelayMs } = options;
    this.#options = options;
    this.#operations = options.operations ?? createMemoryOperationStore();
    this.#clock = clock;
    this.#overrides = overrides;
    this.#schemas = options.schemas ?? createSchemaSource(client);
    this.#ignored = new IgnoredFields(overrides, new JqThread(clock));
    this.#planner = new Planner({
      cache,
      schemas: this.#schemas,
      ignored: this.#ignored,
      server: new ServerDiff(this.#context(), cache),
    });
    this.#memory = options.driftMemory ?? new DriftMemory();
    this.#drift = new DriftWatch({
      clock,
      memory: this.#memory,
      delayMs: driftDelayMs,
      look: (synced) => this.#planner.driftOf(synced),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { cache } = this.#options;
    const unsubscribe = cache.subscribe(({ key }) => this.#drift.note(key));
    this.#compareAgain(signal).catch(() => undefined);
    await untilAborted(signal);
    unsubscribe();
    this.#drift.stop();
    await Promise.all([...this.#units.values()].map((unit) => unit.abandon(abortReason(signal))));
  }

  expectTargets({ unit = "", ...options }: Pick<SyncRequest, "unit" | "helmHooks"> = {}): ExpectedTargets {
    return this.#planner.expectTargets(unit, options);
  }

  onDrift(listener: (drift: Drift) => void): Unsubscribe {
    return this.#drift.subscribe(listener);
  }

  async plan(request: SyncRequest, signal: AbortSignal): Promise<SyncPlan> {
    return this.#plan(request, await this.#unit(request).howToPlan(request, signal), signal);
  }

  async sync(request: SyncRequest, signal: AbortSignal): Promise<SyncResult> {
    const { revision } = request;
    let progress = await this.#advance(request, signal);
    while (progress.kind === "waiting") {
      const { running } = progress;
      try {
        await untilReady(running, signal);
        progress = await this.#advance(request, signal, running);
      } catch (error) {
        const ended = await this.#unit(request).giveUp(running, toError(error));
        if (!signal.aborted && !running.abandoned.signal.aborted) {
          throw error;
        }
        progress = ended;
      }
    }
    return resultOf(progress, revision);
  }

  async advance(request: SyncRequest, signal: AbortSignal): Promise<SyncProgress> {
    return progressOf(await this.#advance(request, signal), request.revision);
  }

  async preview(request: SyncRequest, signal: AbortSignal): Promise<Preview> {
    const { cache } = this.#options;
    const { unit = "", parallelism = usualParallelism, waitMs = usualWaitMs } = request;
    const leave = leaveRuleOf(planOptionsOf(request));
    // What's previewed needn't be what's synced: the unit keeps its own targets.
    const holder = `${unit} (preview)`;
    const how = { ...(await this.#unit(request).howToPlan(request, signal)), holder };
    let plan: SyncPlan;
    try {
      plan = await this.#plan(request, how, signal);
    } finally {
      await cache.setTargets(holder, [], signal);
    }
    const tasks = tasksOf(plan).filter(({ phase }) => phase !== "SyncFail");
    const looking = { context: this.#context(request), cache, parallelism, waitMs, leave };
    return { plan, tasks: await previewTasks(tasks, looking, signal) };
  }

  /** Compares what was synced before this engine began; a server that can't be reached is waited for. */
  async #compareAgain(signal: AbortSignal): Promise<void> {
    const units = [...this.#memory.units()].filter(([, { synced }]) => synced.size > 0);
    if (units.length > 0) {
      await Promise.all(
        units.map(([name, { synced }]) => this.#planner.prepareFor(name, [...synced.values()], signal)),
      );
      this.#drift.noteAll();
    }
  }

  async confirmDeletion(kept: Pick<KeptObject, "key" | "uid">, signal: AbortSignal): Promise<void> {
    const resource = await this.#options.cache.resourceOf(kept.key);
    if (resource === undefined) {
      throw new OperationError(`the server has no kind ${kept.key.kind} anymore`, "NotFound");
    }
    await confirmDeletion(this.#context(), { resource, kept }, signal);
  }

  #context({ serverSide }: Pick<SyncRequest, "serverSide"> = {}): OperationContext {
    const { cache, client } = this.#options;
    const settings = serverSide === undefined ? {} : { serverSide };
    return { client, cache, schemas: this.#schemas, clock: this.#clock, ignored: this.#ignored, ...settings };
  }

  async #advance(request: SyncRequest, signal: AbortSignal, own?: RunningOperation): Promise<UnitProgress> {
    const unit = this.#unit(request);
    if (request.dryRun === true) {
      return this.#runAside(request, signal);
    }
    return request.selection === undefined
      ? unit.advance(request, signal, own)
      : unit.beside(request, (ended) => this.#runAside(request, ended), signal);
  }

  /** Runs what isn't an operation of its unit, because it doesn't bring the unit to its revision. */
  async #runAside(request: SyncRequest, signal: AbortSignal): Promise<UnitProgress> {
    const { unit = "" } = request;
    const plan = await this.plan(request, signal);
    if (request.dryRun !== true) {
      await this.#preflight(request, plan, signal);
    }
    const session = this.#open(request, { plan }, () => Promise.resolve());
    if (request.dryRun !== true) {
      this.#memory.began(unit);
    }
    const run = await session.toEnd(signal);
    await session.stop();
    if (request.dryRun !== true) {
      this.#remember(plan, run, request);
    }
    return { kind: "ended", plan, run, ...(signal.aborted ? { reason: abortReason(signal) } : {}) };
  }

  /** `holder` is the unit for which the cache holds the targets, if it isn't the one of the request. */
  async #plan(
    request: SyncRequest,
    { run, hooks, holder }: HowToPlan & { readonly holder?: string },
    signal: AbortSignal,
  ): Promise<SyncPlan> {
    const { targets, isManaged, unit = "", review, beginBy } = request;
    const plan = await this.#planner.plan(
      {
        unit: holder ?? unit,
        targets: withNamespace(targets, request).map((target) => this.#sameAsBefore(target, unit)),
        isManaged,
        run,
        options: planOptionsOf({ ...request, hooks }),
        serverSideDiff: request.serverSideDiff,
        serverSide: request.serverSide,
      },
      beginBy === undefined ? signal : AbortSignal.any([signal, beginBy]),
    );
    if (review === undefined) {
      return plan;
    }
    return { ...plan, waves: inWaves(await orAborted(Promise.resolve(review(tasksOf(plan))), signal)) };
  }

  #unit({ unit = "" }: SyncRequest): UnitSync {
    const known = this.#units.get(unit);
    if (known !== undefined) {
      return known;
    }
    const made = new UnitSync({
      unit,
      store: this.#operations,
      newId: this.#options.newId ?? randomUUID,
      now: () => this.#clock.now(),
      plan: (request, how, signal) => this.#plan(request, how, signal),
      preflight: (request, plan, signal) => this.#preflight(request, plan, signal),
      open: (request, input, save) => this.#open(request, input, save),
      began: () => this.#memory.began(unit),
      ended: (request, plan, run) => this.#remember(plan, run, request),
    });
    this.#units.set(unit, made);
    return made;
  }

  /**
   * Refuses a plan before it begins. Like the planning before it, the check no longer waits for the cluster after
   * `beginBy`.
   */
  async #preflight(request: SyncRequest, plan: SyncPlan, signal: AbortSignal): Promise<void> {
    const { parallelism = usualParallelism, waitMs = usualWaitMs, beginBy } = request;
    if (request.failOnSharedResource === true && hasSharedTarget(plan)) {
      throw new PlanRefusedError(plan, refusedRun());
    }
    if (request.preflight !== true) {
      return;
    }
    const leave = leaveRuleOf(planOptionsOf(request));
    const checking = {
      context: this.#context(request),
      cache: this.#options.cache,
      parallelism,
      waitMs,
      leave,
    };
    using limit = new AnyAbort(signal, ...(beginBy === undefined ? [] : [beginBy]));
    const refusal = await preflight(plan, checking, limit.signal);
    if (refusal !== undefined) {
      throw new PlanRefusedError(plan, refusal);
    }
  }

  #open(options: SyncRequest, input: RunInput, save: SyncActors["save"]): SyncSession {
    const { cache, logger = silentLogger } = this.#options;
    const { dryRun = false, parallelism = usualParallelism, waitMs = usualWaitMs } = options;
    const leave = leaveRuleOf(planOptionsOf(options));
    const context = this.#context(options);
    const ruleFor = (key: ResourceKey) => overrideFor(this.#overrides, key).health;
    return new SyncSession(input, {
      context,
      cache,
      logger,
      parallelism,
      waitMs,
      dryRun,
      leave,
      ruleFor,
      save,
    });
  }

  #remember(plan: SyncPlan, run: PlanRun, options: SyncRequest): void {
    const { unit = "", selection } = options;
    const leave = leaveRuleOf(planOptionsOf(options));
    for (const task of tasksOf(plan)) {
      const deed = run.deeds.get(task.id);
      if ("method" in task && deed?.live !== undefined && deed.change !== "none") {
        this.#planner.verified(task.key, task.target, deed.live);
      }
    }
    const isWhole = selection === undefined;
    this.#memory.ended(unit, syncedBy(plan, run, leave), isWhole && run.ending !== "aborted");
  }

  /** The target of the last sync if it's equal: what was computed for it is still valid. */
  #sameAsBefore(target: Target, unit: string): Target {
    const before = this.#memory.syncedOf(unit).get(identityOf(target.object).id)?.target;
    return before !== undefined && isSameObject(before, target.object)
      ? { ...target, object: before }
      : target;
  }
}

/** The objects to check for drift after a sync; a failed object is already known to differ. */
function syncedBy(plan: SyncPlan, run: PlanRun, leave: LeaveRule): readonly SyncedTarget[] {
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

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    } else {
      signal.addEventListener("abort", () => resolve(), { once: true });
    }
  });
}
