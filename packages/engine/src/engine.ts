/**
 * Keeps one cluster in sync with targets. What flows where, in this order:
 *
 * - live objects (cache): the kinds of the targets are listed once, and then watched;
 * - reconcile and plan (plan): targets are paired with live objects, and what to do with each becomes a task;
 * - dry run (dry-run): where a plan is in doubt, to be checked first, or only to be shown, the server tries it;
 * - run (run): tasks are done in waves, with operations on single objects (operations), and health is waited for;
 * - sync (sync): at most one operation of each unit, from its request to its result, even after a restart;
 * - drift (drift): what no longer matches its target afterwards.
 */
import { randomUUID } from "node:crypto";
import { abortReason, type Clock, orAborted, silentLogger, systemClock, type Unsubscribe } from "@weir/base";
import { createSchemaSource } from "@weir/kube/rest";
import { type Drift, DriftMemory } from "./drift/drift-memory.ts";
import { DriftWatch } from "./drift/drift-watch.ts";
import { asSyncedBefore, syncedBy } from "./drift/synced-targets.ts";
import { preflight } from "./dry-run/preflight.ts";
import { previewTasks } from "./dry-run/preview.ts";
import { ServerDiff } from "./dry-run/server-diff.ts";
import { overrideFor } from "./health/overrides.ts";
import { IgnoredFields } from "./ignore/ignored-fields.ts";
import { JqThread } from "./ignore/jq.ts";
import { confirmDeletion } from "./operations/confirm-deletion.ts";
import type { OperationContext } from "./operations/context.ts";
import type { KeptObject } from "./plan/guards.ts";
import { leaveRuleOf } from "./plan/leave.ts";
import { withNamespace } from "./plan/namespace.ts";
import { type SyncPlan, tasksOf } from "./plan/plan.ts";
import { Planner } from "./plan/planner.ts";
import { inWaves } from "./plan/stages.ts";
import { planOptionsOf, type SyncRequest } from "./plan/sync-request.ts";
import { createMemoryOperationStore, type OperationStore } from "./run/operation-record.ts";
import type { SyncResult } from "./run/result.ts";
import type { PlanRun } from "./run/run.ts";
import { type SessionOptions, SyncSession } from "./run/session.ts";
import type { ClusterEngine, ClusterEngineOptions, ExpectedTargets, Preview } from "./sync/cluster-engine.ts";
import { progressOf, resultOf, type SyncProgress } from "./sync/sync-progress.ts";
import { type HowToPlan, UnitSync } from "./sync/unit-sync.ts";

/** Creates an engine for the cluster behind `client`, which `cache` watches. The caller closes both. */
export function createClusterEngine(options: ClusterEngineOptions): ClusterEngine {
  return new RestClusterEngine(options);
}

class RestClusterEngine implements ClusterEngine {
  readonly #options: ClusterEngineOptions;
  readonly #clock: Clock;
  readonly #store: OperationStore;
  readonly #context: OperationContext;
  readonly #planner: Planner;
  readonly #memory: DriftMemory;
  readonly #drift: DriftWatch;
  readonly #units = new Map<string, UnitSync>();

  constructor(options: ClusterEngineOptions) {
    const { cache, client, clock = systemClock, driftDelayMs: delayMs = 100 } = options;
    const ignored = new IgnoredFields(options.overrides ?? {}, new JqThread(clock));
    const schemas = options.schemas ?? createSchemaSource(client);
    this.#options = options;
    this.#clock = clock;
    this.#store = options.operations ?? createMemoryOperationStore();
    this.#context = { client, cache, schemas, clock, ignored };
    const server = new ServerDiff(this.#context, cache);
    this.#planner = new Planner({ cache, schemas, ignored, server });
    this.#memory = options.driftMemory ?? new DriftMemory();
    const look = this.#planner.driftOf.bind(this.#planner);
    this.#drift = new DriftWatch({ clock, memory: this.#memory, delayMs, look });
  }

  async run(signal: AbortSignal): Promise<void> {
    const prepare = this.#planner.prepareFor.bind(this.#planner);
    await this.#drift.run({ cache: this.#options.cache, prepare }, signal);
    await Promise.all([...this.#units.values()].map((unit) => unit.abandon(abortReason(signal))));
  }

  expectTargets({ unit = "", ...options }: Pick<SyncRequest, "unit" | "helmHooks"> = {}): ExpectedTargets {
    return this.#planner.expectTargets(unit, options);
  }

  async plan(request: SyncRequest, signal: AbortSignal): Promise<SyncPlan> {
    return this.#plan(request, await this.#unit(request).howToPlan(request, signal), signal);
  }

  async sync(request: SyncRequest, signal: AbortSignal): Promise<SyncResult> {
    return resultOf(await this.#unit(request).sync(request, signal), request.revision);
  }

  async advance(request: SyncRequest, signal: AbortSignal): Promise<SyncProgress> {
    return progressOf(await this.#unit(request).advance(request, signal), request.revision);
  }

  async preview(request: SyncRequest, signal: AbortSignal): Promise<Preview> {
    // What's previewed needn't be what's synced: the unit keeps its own targets.
    const holder = `${request.unit ?? ""} (preview)`;
    const how = { ...(await this.#unit(request).howToPlan(request, signal)), holder };
    let plan: SyncPlan;
    try {
      plan = await this.#plan(request, how, signal);
    } finally {
      await this.#options.cache.setTargets(holder, [], signal);
    }
    const tasks = tasksOf(plan).filter(({ phase }) => phase !== "SyncFail");
    return { plan, tasks: await previewTasks(tasks, this.#work(request), signal) };
  }

  confirmDeletion(kept: Pick<KeptObject, "key" | "uid">, signal: AbortSignal): Promise<void> {
    return confirmDeletion({ ...this.#context, cache: this.#options.cache }, kept, signal);
  }

  onDrift(listener: (drift: Drift) => void): Unsubscribe {
    return this.#drift.subscribe(listener);
  }

  /** From live objects to tasks. `holder` is the unit for which the cache holds the targets, if it isn't the request's. */
  async #plan(
    request: SyncRequest,
    { run, hooks, holder }: HowToPlan & { readonly holder?: string },
    signal: AbortSignal,
  ): Promise<SyncPlan> {
    const { unit = "", review, beginBy, isManaged, serverSideDiff, serverSide } = request;
    const targets = asSyncedBefore(withNamespace(request.targets, request), this.#memory.syncedOf(unit));
    const options = planOptionsOf({ ...request, hooks });
    const plan = await this.#planner.plan(
      { unit: holder ?? unit, targets, isManaged, run, options, serverSideDiff, serverSide },
      beginBy === undefined ? signal : AbortSignal.any([signal, beginBy]),
    );
    return review === undefined
      ? plan
      : { ...plan, waves: inWaves(await orAborted(Promise.resolve(review(tasksOf(plan))), signal)) };
  }

  /** The unit of a request, which plans and runs its operations. */
  #unit({ unit = "" }: SyncRequest): UnitSync {
    const made =
      this.#units.get(unit) ??
      new UnitSync({
        unit,
        store: this.#store,
        newId: this.#options.newId ?? randomUUID,
        now: () => this.#clock.now(),
        plan: (request, how, signal) => this.#plan(request, how, signal),
        preflight: (request, plan, signal) => preflight(request, plan, this.#work(request), signal),
        open: (request, input, save) => new SyncSession(input, { ...this.#work(request), save }),
        began: () => this.#memory.began(unit),
        ended: (request, plan, run) => this.#ended(request, plan, run),
      });
    this.#units.set(unit, made);
    return made;
  }

  /** How the tasks of a request are performed, or tried. */
  #work(request: SyncRequest): Omit<SessionOptions, "save"> {
    const { cache, logger = silentLogger, overrides = {} } = this.#options;
    const { serverSide, dryRun = false, parallelism = 24, waitMs = 300_000 } = request;
    return {
      context: serverSide === undefined ? this.#context : { ...this.#context, serverSide },
      cache,
      logger,
      dryRun,
      parallelism,
      waitMs,
      leave: leaveRuleOf(planOptionsOf(request)),
      ruleFor: (key) => overrideFor(overrides, key).health,
    };
  }

  /** Afterwards, what was synced is checked for drift. */
  #ended(request: SyncRequest, plan: SyncPlan, run: PlanRun): void {
    const isAll = request.selection === undefined && run.ending !== "aborted";
    this.#planner.done(plan, run.deeds);
    this.#memory.ended(request.unit ?? "", syncedBy(request, plan, run), isAll);
  }
}
