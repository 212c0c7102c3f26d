/** How an operation begins, continues, and progresses: pure functions from record to record. */
import type { OperationRecord, TaskRecord } from "./operation-record.ts";
import type { TaskOutcome } from "./outcome.ts";

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

/** How many failed targets are recorded by name; one is enough to know that the operation has failed. */
const mostFailures = 50;
/** The longest recorded error, in characters. */
const longestError = 300;

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

/** Hooks are about to be created. A hook that was already started keeps its record. */
export function hooksStarted(record: OperationRecord, ids: readonly string[], at: number): OperationRecord {
  const fresh = ids.filter((id) => record.tasks[id] === undefined);
  return fresh.length === 0
    ? record
    : withTasks(
        record,
        fresh.map((id) => [id, { outcome: "started", at }]),
      );
}

/** A hook was created, or was found running. */
export function hookApplied(
  record: OperationRecord,
  id: string,
  { uid, at }: { readonly uid: string | undefined; readonly at: number },
): OperationRecord {
  return withTasks(record, [[id, { outcome: "applied", ...(uid === undefined ? {} : { uid }), at }]]);
}

/** A hook succeeded. */
export function hookSettled(record: OperationRecord, id: string, at: number): OperationRecord {
  return withTasks(record, [[id, { ...withUid(record.tasks[id]), outcome: "settled", at }]]);
}

/**
 * A hook or a target failed. Long errors are shortened, and after the first failed targets, the others are only
 * counted, because the record must stay small; hooks are always recorded, so that none runs twice.
 */
export function taskFailed(
  record: OperationRecord,
  id: string,
  { error, isHook, at }: { readonly error: string; readonly isHook: boolean; readonly at: number },
): OperationRecord {
  const failures = Object.values(record.tasks).filter(({ outcome }) => outcome === "failed").length;
  if (!isHook && failures >= mostFailures && record.tasks[id] === undefined) {
    return { ...record, dropped: (record.dropped ?? 0) + 1 };
  }
  const short = error.length > longestError ? `${error.slice(0, longestError)} ...` : error;
  return withTasks(record, [[id, { ...withUid(record.tasks[id]), outcome: "failed", error: short, at }]]);
}

/** The operation ended with a failure; its hooks are still due. */
export function operationFailed(record: OperationRecord, at: number): OperationRecord {
  return { ...record, failedAt: at };
}

/** What is known about the tasks of an operation that continues. */
export function outcomesOf(record: OperationRecord): Map<string, TaskOutcome> {
  return new Map(Object.entries(record.tasks).map(([id, task]) => [id, outcomeOf(task)]));
}

function outcomeOf({ outcome, error, at }: TaskRecord): TaskOutcome {
  return outcome === "failed"
    ? { kind: "failed", error: error ?? "it failed; the reason was lost in a restart", at }
    : { kind: outcome, at };
}

function withTasks(
  record: OperationRecord,
  tasks: readonly (readonly [string, TaskRecord])[],
): OperationRecord {
  return { ...record, tasks: { ...record.tasks, ...Object.fromEntries(tasks) } };
}

function withUid(task: TaskRecord | undefined): Pick<TaskRecord, "uid"> {
  return task?.uid === undefined ? {} : { uid: task.uid };
}
