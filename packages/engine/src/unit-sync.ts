import { AnyAbort, abortReason, orAborted } from "@weir/base";
import type { SyncRequest } from "./options.ts";
import type { HookRun } from "./sync/hooks.ts";
import { chooseOperation, isSameOperation, type OperationIdentity } from "./sync/operation-progress.ts";
import type { OperationRecord, OperationStore } from "./sync/operation-record.ts";
import { type PlanOptions, type SyncPlan, tasksOf } from "./sync/plan.ts";
import type { PlanRun, RunInput, SyncActors } from "./sync/run.ts";
import type { SyncTask } from "./sync/task.ts";
import type { SyncSession } from "./sync-session.ts";

/** A newer operation has replaced this one: a higher generation, or another revision with the same one. */
export class OperationReplacedError extends Error {
  override readonly name = "OperationReplacedError";

  constructor() {
    super("a newer operation has replaced this one");
  }
}

/**
 * Someone else has changed the record of an operation, so someone else is working on it; thrown by the save
 * method of an OperationStore. The operation is abandoned here.
 */
export class OperationConflictError extends Error {
  override readonly name = "OperationConflictError";
}

/** The dependencies of the syncs of one unit. */
export interface UnitSyncOptions {
  readonly unit: string;
  readonly store: OperationStore;
  readonly newId: () => string;
  readonly now: () => number;
  plan(request: SyncRequest, how: HowToPlan, signal: AbortSignal): Promise<SyncPlan>;
  open(request: SyncRequest, input: RunInput, save: SyncActors["save"]): SyncSession;
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

/** An operation that is in progress in this process. */
export interface RunningOperation {
  readonly identity: OperationIdentity;
  readonly startedAt: number;
  readonly hasHooks: boolean;
  readonly session: SyncSession;
  /** Aborted when the operation is abandoned here. */
  readonly abandoned: AbortController;
  request: SyncRequest;
}

/** How far an operation is. */
export type UnitProgress =
  | { readonly kind: "waiting"; readonly running: RunningOperation; readonly tasks: readonly SyncTask[] }
  | { readonly kind: "ended"; readonly plan: SyncPlan; readonly run: PlanRun; readonly reason?: Error };

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
  #newest = Number.NEGATIVE_INFINITY;

  constructor(options: UnitSyncOptions) {
    this.#options = options;
  }

  /** How to plan what isn't run. */
  async howToPlan(request: SyncRequest, signal: AbortSignal): Promise<HowToPlan> {
    const stored = await this.#load(signal);
    const hooks = request.hooks ?? (stored === undefined ? "when-changed" : "always");
    return { run: { revision: request.revision, startedAt: this.#options.now() }, hooks };
  }

  /**
   * Does everything that can be done now: begins the operation, or continues it. `own` is the operation that the
   * caller began earlier. Rejects if the plan can't be made, or if the progress can't be stored.
   */
  async advance(request: SyncRequest, signal: AbortSignal, own?: RunningOperation): Promise<UnitProgress> {
    const asked = { revision: request.revision, generation: request.generation ?? 0 };
    const replaced = await this.#turn(asked, signal);
    const { promise: done, resolve: finish } = Promise.withResolvers<true>();
    this.#call = { asked, replaced, done };
    using ended = new AnyAbort(signal, replaced.signal);
    try {
      if (own !== undefined && own !== this.#running) {
        return endedHere(own, new OperationReplacedError());
      }
      const running = await this.#runningFor(request, asked, ended.signal);
      return running === undefined ? refused() : await this.#advance(running, ended.signal);
    } catch (error) {
      // The operation can't go on here; everything else can be tried again.
      if (error instanceof OperationConflictError) {
        await this.abandon(error);
        this.#stored = undefined;
      }
      throw error;
    } finally {
      this.#call = undefined;
      finish(true);
    }
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

  /** Waits until no other call is at work; one for an older operation is ended. */
  async #turn(asked: OperationIdentity, signal: AbortSignal): Promise<AbortController> {
    for (let call = this.#call; call !== undefined; call = this.#call) {
      if (!isSameOperation(call.asked, asked) && asked.generation >= call.asked.generation) {
        call.replaced.abort(new OperationReplacedError());
      }
      await orAborted(call.done, signal);
    }
    return new AbortController();
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

  async #runningFor(
    request: SyncRequest,
    asked: OperationIdentity,
    signal: AbortSignal,
  ): Promise<RunningOperation | undefined> {
    const stored = await this.#load(signal);
    const current = this.#running?.identity ?? (stored?.failedAt === undefined ? stored : undefined);
    const choice = chooseOperation(current, asked);
    if (choice === "refuse" || asked.generation < this.#newest) {
      return undefined;
    }
    this.#newest = asked.generation;
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
    const { revision, leave } = request;
    const { startedAt, hasHooks } = running;
    const hooks = hasHooks ? "always" : "never";
    const plan = await this.#options.plan(request, { run: { revision, startedAt }, hooks }, signal);
    running.session.replan(plan, leave);
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

function endedHere({ session }: RunningOperation, reason: Error): UnitProgress {
  return { kind: "ended", plan: session.plan, run: session.aborted(), reason };
}

/** A newer operation is there already. */
function refused(): UnitProgress {
  const run: PlanRun = { outcomes: new Map(), deeds: new Map(), ending: "aborted" };
  return { kind: "ended", plan: { waves: [], kept: [] }, run, reason: new OperationReplacedError() };
}

/** How an operation begins. */
interface Beginning {
  readonly asked: OperationIdentity;
  readonly stored: OperationRecord | undefined;
  /** True: the stored one goes on. */
  readonly resumes: boolean;
}
