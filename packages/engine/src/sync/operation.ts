/** An operation of a unit: which one is asked for, and how far it is. */
import { AnyAbort } from "@weir/base";
import type { LeaveRule } from "../plan/leave.ts";
import type { SyncPlan } from "../plan/plan.ts";
import type { SyncRequest } from "../plan/sync-request.ts";
import type { SyncTask } from "../plan/task.ts";
import type { Advance, PlanRun } from "../run/run.ts";

/** What is asked for: the same revision and generation mean the same operation. */
export interface OperationIdentity {
  readonly revision: string;
  readonly generation: number;
}

/** What to do with a request, given the operation that is there. */
export type OperationChoice =
  /** The operation isn't finished, and is the one that's asked for. */
  | "continue"
  /** A new operation. */
  | "begin"
  /** The operation that is there is newer than the one that's asked for. */
  | "refuse";

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

/** The operation that a request asks for. */
export function identityOf({ revision, generation = 0 }: SyncRequest): OperationIdentity {
  return { revision, generation };
}

/** What a request means if `current` is the unfinished operation; undefined: there is none. */
export function chooseOperation(
  current: OperationIdentity | undefined,
  asked: OperationIdentity,
): OperationChoice {
  if (current === undefined) {
    return "begin";
  }
  if (current.generation > asked.generation) {
    return "refuse";
  }
  return isSameOperation(current, asked) ? "continue" : "begin";
}

/** True if both mean the same operation. */
export function isSameOperation(a: OperationIdentity, b: OperationIdentity): boolean {
  return a.revision === b.revision && a.generation === b.generation;
}

/** Resolves when the operation can go on; rejects if the signal is aborted, or the operation was abandoned. */
export async function untilReady(
  { session, abandoned }: RunningOperation,
  signal: AbortSignal,
): Promise<void> {
  using either = new AnyAbort(signal, abandoned.signal);
  await session.changed(either.signal);
  either.signal.throwIfAborted();
}
