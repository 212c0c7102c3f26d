import { AnyAbort, type Clock, Deadline, messageOf, TimeoutError } from "@weir/base";
import type { SyncRequest } from "../options.ts";
import type { SyncTask } from "../sync/task.ts";
import type { SyncProgress } from "../sync-progress.ts";
import type { OperationState, SyncOperation, SyncUnit, SyncUnitEvent } from "../types.ts";
import { OperationConflictError } from "../unit-sync.ts";
import type { Claims } from "./claims.ts";
import type { ClusterLink, ConnectionLease } from "./cluster-link.ts";
import { operationDue } from "./operation-due.ts";
import type { OutsideCalls } from "./outside-calls.ts";
import type { UnitRecords } from "./unit-records.ts";
import { foreignTo, ownedBy, type UnitTargets } from "./unit-targets.ts";

/** How many objects a message names. */
const named = 3;

/** The dependencies of the operations of one cluster. */
export interface UnitOperationsOptions {
  /** The name of the cluster. */
  readonly cluster: string;
  readonly records: UnitRecords;
  readonly targets: UnitTargets;
  readonly link: ClusterLink;
  readonly claims: Claims;
  readonly calls: OutsideCalls;
  readonly clock: Clock;
  /** How long planning may take, and so can the review of the tasks. */
  readonly limitMs: number;
  /** Lets listeners review the tasks of a sync. */
  readonly review: (unit: string, tasks: readonly SyncTask[]) => Promise<readonly SyncTask[]>;
  readonly tell: (unit: string, event: SyncUnitEvent) => void;
  readonly completed: (unit: string, state: OperationState) => void;
  /** An operation can go on: call `advance`. */
  readonly ready: (unit: string) => void;
}

/** What a sync works with, from its begin to its end. */
interface Work {
  readonly lease: ConnectionLease;
  readonly request: SyncRequest;
}

/** A sync that has begun here, and may be waiting. */
interface Running {
  readonly unit: SyncUnit;
  readonly operation: SyncOperation;
  readonly startedAt: number;
  /** It was begun by another process, or before a failure. */
  readonly isResumed: boolean;
  /** Aborted by a newer request. */
  readonly replaced: AbortController;
  work: Work | undefined;
}

/** How an operation has ended. */
type Ending = Pick<OperationState, "phase" | "message" | "result">;

/**
 * The syncs of the units of one cluster, at most one for each unit. A sync that waits takes no worker: it says
 * that it's ready when it can go on. The stored status tells how far each is; the request is only read.
 */
export class UnitOperations {
  readonly #options: UnitOperationsOptions;
  readonly #running = new Map<string, Running>();
  /** The highest generation that was seen. */
  readonly #newest = new Map<string, number>();

  constructor(options: UnitOperationsOptions) {
    this.#options = options;
  }

  /** Takes note of what a unit requests; a newer request ends the sync that runs. */
  note(unit: SyncUnit): void {
    const running = this.#running.get(unit.id);
    if (running === undefined) {
      if (operationDue(unit).kind !== "nothing") {
        this.#options.ready(unit.id);
      }
      return;
    }
    const newest = Math.max(unit.operation?.generation ?? 0, this.#newest.get(unit.id) ?? 0);
    this.#newest.set(unit.id, newest);
    if (newest > running.operation.generation) {
      running.replaced.abort(new Error("a newer request has replaced this one"));
      this.#options.ready(unit.id);
    }
  }

  /**
   * Does what can be done now for the request of a unit. Must not be called again for the unit before it has
   * ended. Rejects if the store does, or if the signal is aborted; in both cases the request stays due.
   */
  async advance(id: string, signal: AbortSignal): Promise<void> {
    const running = this.#running.get(id) ?? (await this.#begin(id, signal));
    if (running === undefined) {
      return;
    }
    try {
      await this.#advance(running, signal);
    } catch (error) {
      this.#drop(running);
      throw error;
    }
  }

  /** The unit is gone, or in another cluster now. */
  forget(id: string): void {
    this.#running.get(id)?.replaced.abort(new Error("the unit is no longer in this cluster"));
    this.#newest.delete(id);
    this.#options.ready(id);
  }

  async #begin(id: string, signal: AbortSignal): Promise<Running | undefined> {
    const { cluster, records, clock } = this.#options;
    const unit = await records.get(id, signal);
    if (unit?.destination.cluster !== cluster) {
      return undefined;
    }
    const due = operationDue(unit);
    if (due.kind === "nothing") {
      return undefined;
    }
    if (due.kind === "give-up") {
      const ending = { phase: "Error", message: "it was interrupted, and its request is gone" } as const;
      await this.#store(id, due.state, ending, signal);
      return undefined;
    }
    const running: Running = {
      unit,
      operation: due.operation,
      startedAt: due.kind === "resume" ? due.state.startedAt : clock.now(),
      isResumed: due.kind === "resume",
      replaced: new AbortController(),
      work: undefined,
    };
    this.#running.set(id, running);
    return running;
  }

  async #advance(running: Running, signal: AbortSignal): Promise<void> {
    const { id } = running.unit;
    if ((this.#newest.get(id) ?? 0) > running.operation.generation) {
      running.replaced.abort(new Error("a newer request has replaced this one"));
    }
    if (running.work === undefined && !running.isResumed) {
      await this.#note(running, "", signal);
      this.#options.tell(id, { kind: "sync-started", message: "" });
    }
    await this.#goOn(running, signal);
  }

  async #goOn(running: Running, signal: AbortSignal): Promise<void> {
    using either = new AnyAbort(signal, running.replaced.signal);
    const outcome = await this.#outcomeOf(running, { either: either.signal, signal });
    signal.throwIfAborted();
    if (running.replaced.signal.aborted) {
      this.#drop(running);
      this.#options.ready(running.unit.id);
    } else if (outcome.kind === "waiting") {
      await this.#note(running, waitingMessage(outcome.waitingFor), signal);
      void this.#wait(running, outcome, signal);
    } else if (outcome.kind === "suspended") {
      this.#drop(running);
      await this.#note(running, `interrupted, and continues later: ${outcome.message}`, signal);
    } else {
      this.#drop(running);
      const state = { generation: running.operation.generation, startedAt: running.startedAt };
      await this.#store(running.unit.id, state, outcome.ending, signal);
    }
  }

  /** Never rejects. */
  async #outcomeOf(running: Running, { either, signal }: Signals): Promise<Outcome> {
    try {
      running.work ??= await this.#prepare(running, { either, signal });
      const { lease, request } = running.work;
      const { clock, calls, limitMs } = this.#options;
      const { id, destination } = running.unit;
      const late = (): TimeoutError =>
        new TimeoutError(`cluster "${destination.cluster}" gave no answer for ${limitMs / 1000} s`);
      using limit = new Deadline(clock, limitMs, either, late);
      const what = `the sync of unit "${id}" in cluster "${destination.cluster}"`;
      const advance = await calls.make({ what, signal: either }, (ends) =>
        lease.connection.engine.advance({ ...request, beginBy: limit.signal }, ends),
      );
      if (advance.kind === "waiting") {
        return advance;
      }
      const { phase, message } = advance.result;
      return { kind: "ended", ending: { phase, message, result: advance.result } };
    } catch (error) {
      const message = messageOf(error);
      // Someone else carries on with it, or it can be carried on with later.
      const isPending =
        error instanceof OperationConflictError || (running.work === undefined && running.isResumed);
      return isPending
        ? { kind: "suspended", message }
        : { kind: "ended", ending: { phase: "Error", message } };
    }
  }

  async #prepare(running: Running, { either, signal }: Signals): Promise<Work> {
    const { link, targets, claims, calls, limitMs, review } = this.#options;
    const { unit, operation } = running;
    const lease = await link.acquire(either);
    try {
      const { instanceLabelKey } = lease.connection.settings;
      const generated = await targets.of(unit, instanceLabelKey, either);
      claims.replace(unit.id, generated.keys);
      const what = `the review of the sync of unit "${unit.id}"`;
      const request: SyncRequest = {
        ...operation,
        unit: unit.id,
        targets: generated.targets,
        isManaged: ownedBy(unit.id, instanceLabelKey, claims),
        foreignOwner: foreignTo(unit.id, instanceLabelKey, claims),
        revision: generated.revision,
        review: (tasks) => calls.make({ what, limitMs, signal }, () => review(unit.id, tasks)),
      };
      return { lease, request };
    } catch (error) {
      lease[Symbol.dispose]();
      throw error;
    }
  }

  /** Never rejects. */
  async #wait(running: Running, waiting: Waiting, signal: AbortSignal): Promise<void> {
    using either = new AnyAbort(signal, running.replaced.signal);
    const what = `the wait of unit "${running.unit.id}"`;
    await this.#options.calls
      .make({ what, signal: either.signal }, (ends) => waiting.changed(ends))
      .catch(() => undefined);
    if (signal.aborted) {
      this.#drop(running);
    } else {
      this.#options.ready(running.unit.id);
    }
  }

  #drop(running: Running): void {
    const { id } = running.unit;
    running.work?.lease[Symbol.dispose]();
    if (this.#running.get(id) === running) {
      this.#running.delete(id);
      this.#newest.delete(id);
    }
  }

  /** Stores that an operation runs. */
  #note({ unit, operation, startedAt }: Running, message: string, signal: AbortSignal): Promise<void> {
    const { generation } = operation;
    const change = (before: OperationState | undefined): OperationState | undefined =>
      (before?.generation ?? 0) > generation
        ? undefined
        : { phase: "Running", message, generation, startedAt, ...recordOf(before) };
    return this.#options.records.changeOperation(unit.id, change, signal);
  }

  /** Stores how an operation has ended, and reports it. */
  async #store(
    id: string,
    { generation, startedAt }: Pick<OperationState, "generation" | "startedAt">,
    ending: Ending,
    signal: AbortSignal,
  ): Promise<void> {
    const { records, clock, completed, tell } = this.#options;
    const state: OperationState = { ...ending, generation, startedAt, finishedAt: clock.now() };
    const change = (before: OperationState | undefined): OperationState | undefined =>
      (before?.generation ?? 0) > generation ? undefined : { ...state, ...recordOf(before) };
    await records.changeOperation(id, change, signal);
    completed(id, state);
    tell(id, { kind: "sync-completed", message: `${state.phase}: ${state.message}` });
  }
}

/** The signal of the engine, and one that a newer request aborts as well. */
interface Signals {
  readonly either: AbortSignal;
  readonly signal: AbortSignal;
}

type Waiting = Extract<SyncProgress, { readonly kind: "waiting" }>;

/** How an operation goes on. */
type Outcome =
  | Waiting
  | { readonly kind: "suspended"; readonly message: string }
  | { readonly kind: "ended"; readonly ending: Ending };

function recordOf(state: OperationState | undefined): Pick<OperationState, "record"> {
  return state?.record === undefined ? {} : { record: state.record };
}

function waitingMessage(tasks: readonly SyncTask[]): string {
  const names = tasks.map(({ key }) => `${key.kind} ${key.namespace}/${key.name}`).sort();
  const more = names.length > named ? `, and ${names.length - named} more` : "";
  return `waiting for ${names.slice(0, named).join(", ")}${more}`;
}
