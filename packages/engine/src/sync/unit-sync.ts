import { AnyAbort, abortReason, orAborted, toError } from "@weir/base";
import type { HookRun } from "../plan/hooks.ts";
import { leaveRuleOf } from "../plan/leave.ts";
import { type PlanOptions, type SyncPlan, tasksOf } from "../plan/plan.ts";
import { planOptionsOf, type SyncRequest } from "../plan/sync-request.ts";
import type { OperationRecord, OperationStore } from "../run/operation-record.ts";
import type { PlanRun, RunInput, SyncActors } from "../run/run.ts";
import {
  chooseOperation,
  type EndedOperation,
  identityOf,
  isSameOperation,
  OperationConflictError,
  type OperationIdentity,
  OperationReplacedError,
  type RunningOperation,
  type UnitProgress,
  type UnitSession,
  untilReady,
} from "./operation.ts";

/** The dependencies of the syncs of one unit. */
export interface UnitSyncOptions {
  readonly unit: string;
  readonly store: OperationStore;
  readonly newId: () => string;
  readonly now: () => number;
  plan(request: SyncRequest, how: HowToPlan, signal: AbortSignal): Promise<SyncPlan>;
  /** How the operation ends if it must not begin with this plan. */
  preflight(request: SyncRequest, plan: SyncPlan, signal: AbortSignal): Promise<PlanRun | undefined>;
  open(request: SyncRequest, input: RunInput, save: SyncActors["save"]): UnitSession;
  /** An operation begins or continues. */
  began(): void;
  /** It ended, or was abandoned. */
  ended(request: SyncRequest, plan: SyncPlan, run: PlanRun): void;
}

/** The part of a plan that depends on the operation. */
export interface HowToPlan {
  readonly run: HookRun;
  readonly hooks: PlanOptions["hooks"];
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

  /** Like `advance`, and goes on whenever that makes sense, to the end. */
  async sync(request: SyncRequest, signal: AbortSignal): Promise<EndedOperation> {
    let progress = await this.advance(request, signal);
    while (progress.kind === "waiting") {
      const { running } = progress;
      try {
        await untilReady(running, signal);
        progress = await this.#operate(request, signal, running);
      } catch (error) {
        const ended = await this.#giveUp(running, toError(error));
        if (!signal.aborted && !running.abandoned.signal.aborted) {
          throw error;
        }
        progress = ended;
      }
    }
    return progress;
  }

  /**
   * Does everything that can be done now: begins the operation of a request, or continues it. A dry run and a selection
   * aren't operations, because they don't bring the unit to its revision: they run to their end. Rejects if the plan can't
   * be made, or if the progress can't be stored.
   */
  advance(request: SyncRequest, signal: AbortSignal): Promise<UnitProgress> {
    if (request.dryRun === true) {
      return this.#runAside(request, signal);
    }
    return request.selection === undefined ? this.#operate(request, signal) : this.#beside(request, signal);
  }

  /** `own` is the operation that the caller began earlier. */
  #operate(request: SyncRequest, signal: AbortSignal, own?: RunningOperation): Promise<UnitProgress> {
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

  /** Runs a selection in turn with the operations; a newer operation ends it. */
  #beside(request: SyncRequest, signal: AbortSignal): Promise<UnitProgress> {
    const work = (ended: AbortSignal): Promise<UnitProgress> => this.#runAside(request, ended);
    return this.#inTurn(identityOf(request), signal, work).catch((error: unknown) =>
      error instanceof OperationReplacedError ? neverBegun(error) : refusedOr(error),
    );
  }

  async #runAside(request: SyncRequest, signal: AbortSignal): Promise<EndedOperation> {
    const isReal = request.dryRun !== true;
    const plan = await this.#options.plan(request, await this.howToPlan(request, signal), signal);
    if (isReal) {
      await this.#check(request, plan, signal);
      this.#options.began();
    }
    const session = this.#options.open(request, { plan }, () => Promise.resolve());
    let advance = await session.advance(signal);
    while (advance.kind === "waiting") {
      await session.changed(signal).catch(() => undefined);
      advance = await session.advance(signal);
    }
    await session.stop();
    if (isReal) {
      this.#options.ended(request, plan, advance.run);
    }
    return {
      kind: "ended",
      plan,
      run: advance.run,
      ...(signal.aborted ? { reason: abortReason(signal) } : {}),
    };
  }

  /** The caller of an operation doesn't wait for it anymore. */
  async #giveUp(running: RunningOperation, reason: Error): Promise<UnitProgress> {
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
      await this.#check(request, plan, signal);
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

  async #check(request: SyncRequest, plan: SyncPlan, signal: AbortSignal): Promise<void> {
    const refusal = await this.#options.preflight(request, plan, signal);
    if (refusal !== undefined) {
      throw new PlanRefusedError(plan, refusal);
    }
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

/** A plan was refused before anything was changed. */
class PlanRefusedError extends Error {
  override readonly name = "PlanRefusedError";
  readonly ended: EndedOperation;

  constructor(plan: SyncPlan, run: PlanRun) {
    super("the plan was refused");
    this.ended = { kind: "ended", plan, run };
  }
}

/** How an operation begins. */
interface Beginning {
  readonly asked: OperationIdentity;
  readonly stored: OperationRecord | undefined;
  /** True: the stored one goes on. */
  readonly resumes: boolean;
}
