import { AnyAbort, messageOf } from "@weir/base";
import type { SyncTask } from "../plan/task.ts";
import { OperationConflictError } from "../sync/operation.ts";
import type { SyncProgress } from "../sync/sync-progress.ts";
import { beginSync, type SyncContext, type SyncSignals, type SyncWork } from "./begun-sync.ts";
import { operationDue } from "./operation-due.ts";
import type { OperationEnding, OperationIdentity, OperationStates } from "./operation-states.ts";
import type { SyncOperation, SyncUnit, SyncUnitEvent } from "./ports.ts";
import type { UnitRecords } from "./unit-records.ts";

/** How many objects a message names. */
const named = 3;

/** The dependencies of the operations of one cluster. */
export interface UnitOperationsOptions {
  /** The name of the cluster. */
  readonly cluster: string;
  readonly records: UnitRecords;
  readonly states: OperationStates;
  readonly context: SyncContext;
  readonly tell: (unit: string, event: SyncUnitEvent) => void;
  /** An operation can go on: call `advance`. */
  readonly ready: (unit: string) => void;
}

/** An operation that has begun here, and may be waiting. */
interface Running extends OperationIdentity {
  readonly source: { readonly unit: SyncUnit; readonly operation: SyncOperation };
  /** It was begun by another process, or before a failure. */
  readonly isResumed: boolean;
  /** Aborted by a newer request. */
  readonly replaced: AbortController;
  work: SyncWork | undefined;
}

type Waiting = Extract<SyncProgress, { readonly kind: "waiting" }>;

/** How an operation goes on. */
type Outcome =
  | Waiting
  /** It can't go on now. */
  | { readonly kind: "suspended"; readonly message: string }
  | { readonly kind: "ended"; readonly ending: OperationEnding };

/**
 * The operations of the units of one cluster, at most one for each unit. One that waits takes no worker: it
 * says that it's ready when it can go on. The stored status tells how far each is; the request is only read.
 */
export class UnitOperations {
  readonly #options: UnitOperationsOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: UnitOperationsOptions) {
    this.#options = options;
  }

  /** Takes note of what a unit requests; a newer request ends the operation that runs. */
  note(unit: SyncUnit): void {
    const running = this.#running.get(unit.id);
    const isDue =
      running === undefined ? operationDue(unit).kind !== "nothing" : this.#isReplaced(running, unit);
    if (isDue) {
      running?.replaced.abort(new Error("a newer request has replaced this one"));
      this.#options.ready(unit.id);
    }
  }

  /** The unit is gone, or in another cluster now. */
  forget(unit: string): void {
    this.#running.get(unit)?.replaced.abort(new Error("the unit is no longer in this cluster"));
    this.#options.ready(unit);
  }

  /**
   * Does what can be done now for the request of a unit. Must not be called again for the unit before it has
   * ended. Rejects if the store does, or if the signal is aborted; in both cases the request stays due.
   */
  async advance(id: string, signal: AbortSignal): Promise<void> {
    const unit = await this.#options.records.get(id, signal);
    const before = this.#running.get(id);
    if (before !== undefined && this.#isReplaced(before, unit)) {
      this.#drop(before);
    }
    const running = this.#running.get(id) ?? (await this.#begin(unit, signal));
    if (running === undefined) {
      return;
    }
    try {
      await this.#goOn(running, signal);
    } catch (error) {
      this.#drop(running);
      throw error;
    }
  }

  #isReplaced({ generation, replaced }: Running, unit: SyncUnit | undefined): boolean {
    const isElsewhere = unit?.destination.cluster !== this.#options.cluster;
    return replaced.signal.aborted || isElsewhere || (unit.operation?.generation ?? 0) > generation;
  }

  async #begin(unit: SyncUnit | undefined, signal: AbortSignal): Promise<Running | undefined> {
    const { cluster, states, context } = this.#options;
    if (unit?.destination.cluster !== cluster) {
      return undefined;
    }
    const due = operationDue(unit);
    switch (due.kind) {
      case "nothing":
        return undefined;
      case "give-up": {
        const ending = { phase: "Error", message: "it was interrupted, and its request is gone" } as const;
        await states.ended({ unit: unit.id, ...due.state }, ending, signal);
        return undefined;
      }
      case "start":
      case "resume": {
        const { operation } = due;
        const running: Running = {
          unit: unit.id,
          cluster,
          generation: operation.generation,
          startedAt: due.kind === "resume" ? due.state.startedAt : context.clock.now(),
          source: { unit, operation },
          isResumed: due.kind === "resume",
          replaced: new AbortController(),
          work: undefined,
        };
        this.#running.set(unit.id, running);
        return running;
      }
    }
  }

  async #goOn(running: Running, signal: AbortSignal): Promise<void> {
    const { states, tell } = this.#options;
    if (running.work === undefined && !running.isResumed) {
      await states.running(running, "", signal);
      tell(running.unit, { kind: "sync-started", message: "" });
    }
    const outcome = await this.#outcomeOf(running, signal);
    signal.throwIfAborted();
    if (running.replaced.signal.aborted) {
      this.#drop(running);
    } else if (outcome.kind === "waiting") {
      await states.running(running, waitingMessage(outcome.waitingFor), signal);
      void this.#wait(running, outcome, signal);
    } else if (outcome.kind === "suspended") {
      this.#drop(running);
      await states.running(running, `interrupted, and continues later: ${outcome.message}`, signal);
    } else {
      this.#drop(running);
      await states.ended(running, outcome.ending, signal);
    }
  }

  /** Never rejects. */
  async #outcomeOf(running: Running, engine: AbortSignal): Promise<Outcome> {
    using both = new AnyAbort(engine, running.replaced.signal);
    const signals: SyncSignals = { engine, either: both.signal };
    try {
      running.work ??= await beginSync(running.source, this.#options.context, signals);
      const progress = await running.work.advance(signals);
      if (progress.kind === "waiting") {
        return progress;
      }
      const { phase, message } = progress.result;
      return { kind: "ended", ending: { phase, message, result: progress.result } };
    } catch (error) {
      const message = messageOf(error);
      const canContinue = running.work === undefined && running.isResumed;
      // After a conflict, someone else carries on.
      return canContinue || error instanceof OperationConflictError
        ? { kind: "suspended", message }
        : { kind: "ended", ending: { phase: "Error", message } };
    }
  }

  /** Never rejects. */
  async #wait(running: Running, waiting: Waiting, signal: AbortSignal): Promise<void> {
    const { context, ready } = this.#options;
    using either = new AnyAbort(signal, running.replaced.signal);
    const what = `the wait of the sync of unit "${running.unit}"`;
    await context.calls
      .make({ what, signal: either.signal }, (ends) => waiting.changed(ends))
      .catch(() => undefined);
    if (signal.aborted) {
      this.#drop(running);
    } else {
      ready(running.unit);
    }
  }

  #drop(running: Running): void {
    running.work?.[Symbol.dispose]();
    if (this.#running.get(running.unit) === running) {
      this.#running.delete(running.unit);
    }
  }
}

function waitingMessage(tasks: readonly SyncTask[]): string {
  const names = tasks.map(({ key }) => `${key.kind} ${key.namespace}/${key.name}`).sort();
  const more = names.length > named ? `, and ${names.length - named} more` : "";
  return `waiting for ${names.slice(0, named).join(", ")}${more}`;
}
