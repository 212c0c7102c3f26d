import { AnyAbort, abortReason, orAborted } from "@weir/base";
import type { HookRun } from "../plan/hooks.ts";
import { type LeaveRule, leaveRuleOf } from "../plan/leave.ts";
import { type PlanOptions, type SyncPlan, tasksOf } from "../plan/plan.ts";
import { planOptionsOf, type SyncRequest } from "../plan/sync-request.ts";
import type { SyncTask } from "../plan/task.ts";
import { chooseOperation, isSameOperation, type OperationIdentity } from "../run/operation-progress.ts";
import type { OperationRecord, OperationStore } from "../run/operation-record.ts";
import type { Advance, PlanRun, RunInput, SyncActors } from "../run/run.ts";

/** A newer operation has replaced this one: a higher generation, or another revision with the same one. */
export class OperationReplacedError extends Error {
  override readonly name = "OperationReplacedError";

  constructor() {
    super("a newer operation has replaced this one");
  }
}

/**
 * Someone else has changed the record of an operation, so someone else is working on it; thrown by the save
 * method of an OperationStore. The operation continues from what is stored, and is abandoned here if that
 * happens again.
 */
export class OperationConflictError extends Error {
  override readonly name = "OperationConflictError";
}

/** A plan was refused before anything was changed. */
export class PlanRefusedError extends Error {
  override readonly name = "PlanRefusedError";
  readonly ended: EndedOperation;

  constructor(plan: SyncPlan, run: PlanRun) {
    super("the plan was refused");
    this.ended = { kind: "ended", plan, run };
  }
}

/** The dependencies of the syncs of one unit. */
export interface UnitSyncOptions {
  readonly unit: string;
  readonly store: OperationStore;
  readonly newId: () => string;
  readonly now: () => number;
  plan(request: SyncRequest, how: HowToPlan, signal: AbortSignal): Promise<SyncPlan>;
  /** Rejects with PlanRefusedError if the operation must not begin with this plan. */
  preflight(request: SyncRequest, plan: SyncPlan, signal: AbortSignal): Promise<void>;
  open(request: SyncRequest, input: RunInput, save: SyncActors["save"]): UnitSession;
  /** An operation begins or continues. */
  began(): void;
  /** It ended, or was abandoned. */
  ended(request: SyncRequest, plan: SyncPlan, run: PlanRun): void;
}

/** Runs the plan of an operation, until it's stopped. */
export interface UnitSession {
  /** The plan, including what was done according to earlier plans. */
  readonly plan: SyncPlan;
  /** Continues with a plan that was made again. */
  replan(plan: SyncPlan, leave: LeaveRule): void;
  /** Does everything that can be done now. Rejects only if the progress can't be stored. */
  advance(signal: AbortSignal): Promise<Advance>;
  /** Resolves when `advance` can do something; rejects if the signal is aborted. */
  changed(signal: AbortSignal): Promise<void>;
  /** What was done so far, if this is where it ends. */
  aborted(): PlanRun;
  stop(): Promise<void>;
}

/** The part of a plan that depends on the operation. */
export interface HowToPlan {
  readonly run: HookRun;
  readonly hooks: PlanOptions["hooks"];
}

/** An operation that is in progress in this process. */
export interface RunningOperation {
  readonly identity: OperationIdentity;
  readonly startedAt: number;
  readonly hasHooks: boolean;
  readonly session: UnitSession;
  /** Aborted when the operation is abandoned here. */
  readonly abandoned: AbortController;
  request: SyncRequest;
}

/** How far an operation is. */
export type UnitProgress =
  | { readonly kind: "waiting"; readonly running: RunningOperation; readonly tasks: readonly SyncTask[] }
  | EndedOperation;

/** An operation that has ended, at least here. */
export interface EndedOperation {
  readonly kind: "ended";
  readonly plan: SyncPlan;
  readonly run: PlanRun;
  readonly reason?: Error;
}

/** A call that is at work. */
interface Call {
  readonly asked: OperationIdentity;
  readonly replaced: AbortController;
  readonly done: Promise<true>;
}

/** The operations of one unit: at most one at a time, and the newest wins. */
export class UnitSync {
  readonly #options: UnitSyncOptions;
  #call: Call | undefined;
  #running: RunningOperation | undefined;
  /** What is stored, once it was loaded. */
  #stored: { readonly record: OperationRecord | undefined } | undefined;

  constructor(options: UnitSyncOptions) {
    this.#options = options;
  }

  /** How to plan what isn't run. */
  async howToPlan(request: SyncRequest, signal: AbortSignal): Promise<HowToPlan> {
    const hooks = request.hooks ?? ((await this.#load(signal)) === undefined ? "when-changed" : "always");
    return { run: { revision: request.revision, startedAt: this.#options.now() }, hooks };
  }

  /**
   * Does everything that can be done now: begins the operation, or continues it. `own` is the operation that the
   * caller began earlier. Rejects if the plan can't be made, or if the progress can't be stored.
   */
  advance(request: SyncRequest, signal: AbortSignal, own?: RunningOperation): Promise<UnitProgress> {
    const work = async (ended: AbortSignal): Promise<UnitProgress> => {
      if (own !== undefined && own !== this.#running) {
        throw new OperationReplacedError();
      }
      try {
        return await this.#advance(await this.#runningFor(request, ended), ended);
      } catch (error) {
        if (!(error instanceof OperationConflictError)) {
          throw error;
        }
        // Most likely, it was the last breath of the process before this one: what is stored now counts.
        await this.#forget(error);
        return this.#advance(await this.#runningFor(request, ended), ended);
      }
    };
    return this.#inTurn(identityOf(request), signal, work).catch(async (error: unknown) => {
      if (error instanceof OperationReplacedError) {
        return own === undefined ? neverBegun(error) : endedHere(own, error);
      }
      // The operation can't go on here; everything else can be tried again.
      if (error instanceof OperationConflictError) {
        await this.#forget(error);
      }
      return refusedOr(error);
    });
  }

  /** Does work on the unit that isn't one of its operations; a newer operation ends it. */
  beside(
    request: SyncRequest,
    work: (signal: AbortSignal) => Promise<UnitProgress>,
    signal: AbortSignal,
  ): Promise<UnitProgress> {
    return this.#inTurn(identityOf(request), signal, work).catch((error: unknown) => {
      if (error instanceof OperationReplacedError) {
        return neverBegun(error);
      }
      return refusedOr(error);
    });
  }

  /** The caller of an operation doesn't wait for it anymore. */
  async giveUp(running: RunningOperation, reason: Error): Promise<UnitProgress> {
    if (running === this.#running && this.#call === undefined) {
      await this.abandon(reason);
    }
    return endedHere(running, reason);
  }

  /** Ends the operation in this process; its record stays. */
  async abandon(reason: Error): Promise<void> {
    const running = this.#running;
    if (running !== undefined) {
      this.#running = undefined;
      running.abandoned.abort(reason);
      await running.session.stop();
      this.#options.ended(running.request, running.session.plan, running.session.aborted());
    }
  }

  /** Forgets everything about the operation but what is stored. */
  async #forget(reason: OperationConflictError): Promise<void> {
    await this.abandon(reason);
    this.#stored = undefined;
  }

  /**
   * Waits until no other call is at work, and works then; a call for an older operation is ended. Rejects with
   * OperationReplacedError if there is a newer one.
   */
  async #inTurn(
    asked: OperationIdentity,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<UnitProgress>,
  ): Promise<UnitProgress> {
    for (let call = this.#call; call !== undefined; call = this.#call) {
      if (asked.generation < call.asked.generation) {
        throw new OperationReplacedError();
      }
      if (!isSameOperation(call.asked, asked)) {
        call.replaced.abort(new OperationReplacedError());
      }
      await orAborted(call.done, signal);
    }
    const replaced = new AbortController();
    const { promise: done, resolve: finish } = Promise.withResolvers<true>();
    this.#call = { asked, replaced, done };
    using ended = new AnyAbort(signal, replaced.signal);
    try {
      return await work(ended.signal);
    } finally {
      this.#call = undefined;
      finish(true);
    }
  }

  async #advance(running: RunningOperation, signal: AbortSignal): Promise<UnitProgress> {
    const { session } = running;
    const advance = await session.advance(signal);
    if (advance.kind === "waiting") {
      return { kind: "waiting", running, tasks: advance.tasks };
    }
    const { plan } = session;
    this.#running = undefined;
    await session.stop();
    this.#options.ended(running.request, plan, advance.run);
    const reason = advance.run.ending === "aborted" ? { reason: abortReason(signal) } : {};
    return { kind: "ended", plan, run: advance.run, ...reason };
  }

  /** The operation to work on. Rejects with OperationReplacedError if there is a newer one. */
  async #runningFor(request: SyncRequest, signal: AbortSignal): Promise<RunningOperation> {
    const asked = identityOf(request);
    const stored = await this.#load(signal);
    const current = this.#running?.identity ?? (stored?.failedAt === undefined ? stored : undefined);
    const choice = chooseOperation(current, asked);
    if (choice === "refuse") {
      throw new OperationReplacedError();
    }
    if (choice === "continue" && this.#running !== undefined) {
      return this.#continue(this.#running, request, signal);
    }
    await this.abandon(new OperationReplacedError());
    return this.#begin(request, { asked, stored, resumes: choice === "continue" }, signal);
  }

  /** Plans again: since the operation began to wait, anything may have changed. */
  async #continue(
    running: RunningOperation,
    request: SyncRequest,
    signal: AbortSignal,
  ): Promise<RunningOperation> {
    const { revision } = request;
    const { startedAt, hasHooks } = running;
    const hooks = hasHooks ? "always" : "never";
    const plan = await this.#options.plan(request, { run: { revision, startedAt }, hooks }, signal);
    running.session.replan(plan, leaveRuleOf(planOptionsOf(request)));
    running.request = request;
    return running;
  }

  async #begin(
    request: SyncRequest,
    { asked, stored, resumes }: Beginning,
    signal: AbortSignal,
  ): Promise<RunningOperation> {
    const { newId, now } = this.#options;
    const record: OperationRecord =
      resumes && stored !== undefined ? stored : { id: newId(), ...asked, startedAt: now(), tasks: {} };
    const { revision, startedAt } = record;
    // What an earlier operation left undone is still due, even if nothing has changed since.
    const hooks = request.hooks ?? (stored === undefined ? "when-changed" : "always");
    const plan = await this.#options.plan(request, { run: { revision, startedAt }, hooks }, signal);
    // An operation that was interrupted has passed the check, and has changed something.
    if (!resumes) {
      await this.#options.preflight(request, plan, signal);
    }
    const hasHooks = tasksOf(plan).some(({ action }) => action === "hook");
    const input = { plan, record: hasHooks ? record : undefined, stored };
    this.#options.began();
    this.#running = {
      identity: asked,
      startedAt,
      hasHooks,
      session: this.#options.open(request, input, (next, each) => this.#save(next, each)),
      abandoned: new AbortController(),
      request,
    };
    return this.#running;
  }

  async #load(signal: AbortSignal): Promise<OperationRecord | undefined> {
    const { store, unit } = this.#options;
    this.#stored ??= { record: await store.load(unit, signal) };
    return this.#stored.record;
  }

  async #save(record: OperationRecord | undefined, signal: AbortSignal): Promise<void> {
    const { store, unit } = this.#options;
    await store.save(unit, record, signal);
    this.#stored = { record };
  }
}

function identityOf({ revision, generation = 0 }: SyncRequest): OperationIdentity {
  return { revision, generation };
}

function endedHere({ session }: RunningOperation, reason: Error): UnitProgress {
  return { kind: "ended", plan: session.plan, run: session.aborted(), reason };
}

/** The end of an operation that was refused. Throws any other error. */
function refusedOr(error: unknown): EndedOperation {
  if (error instanceof PlanRefusedError) {
    return error.ended;
  }
  throw error;
}

function neverBegun(reason: Error): UnitProgress {
  const run: PlanRun = { outcomes: new Map(), deeds: new Map(), ending: "aborted" };
  return { kind: "ended", plan: { waves: [], kept: [] }, run, reason };
}

/** How an operation begins. */
interface Beginning {
  readonly asked: OperationIdentity;
  readonly stored: OperationRecord | undefined;
  /** True: the stored one goes on. */
  readonly resumes: boolean;
}
