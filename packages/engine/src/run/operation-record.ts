/**
 * The progress of a sync as data, so that a sync survives a restart. It contains only what live objects can't
 * tell: which hooks have run and with which result, and what has failed. Applied targets are recognized by
 * comparing them with their live objects. All functions are pure; an OperationStore keeps the record.
 */
import type { TaskOutcome } from "./outcome.ts";

/** A sync with hooks that has begun. */
export interface OperationRecord {
  /** Random; each hook that the operation creates carries it, so that it's recognized. */
  readonly id: string;
  readonly revision: string;
  /** The caller's counter: an operation with a higher one replaces this one. */
  readonly generation: number;
  /** Milliseconds since the epoch, as all times here. */
  readonly startedAt: number;
  /** When it ended with a failure: its hooks run again with the next operation. */
  readonly failedAt?: number;
  /** Its hooks, and the targets that failed, by task ID. */
  readonly tasks: Readonly<Record<string, TaskRecord>>;
  /** How many failed targets aren't in `tasks`, because there were too many; 0 if absent. */
  readonly dropped?: number;
}

/** The progress of one task. */
export interface TaskRecord {
  /**
   * started: a hook is about to be created, or was created and the operation was interrupted before it knew.
   * applied: the hook exists. settled: it succeeded. failed: the hook or target failed.
   */
  readonly outcome: "started" | "applied" | "settled" | "failed";
  /** The UID of the hook's object. */
  readonly uid?: string;
  /** Why it failed; a store can omit it. */
  readonly error?: string;
  /** When this outcome was recorded; for "applied", when the hook was started. */
  readonly at: number;
}

/** Keeps the records of running operations, one for each unit; implemented by the caller. */
export interface OperationStore {
  /** The record of a unit; undefined if there is none, or none that can be read. */
  load(unit: string, signal: AbortSignal): Promise<OperationRecord | undefined>;
  /**
   * Replaces the record of a unit; undefined removes it. Rejects if it can't be stored, or if someone else has
   * replaced it since this store last loaded or saved it.
   */
  save(unit: string, record: OperationRecord | undefined, signal: AbortSignal): Promise<void>;
}

/** A store that lasts as long as the process. */
export function createMemoryOperationStore(): OperationStore {
  const records = new Map<string, OperationRecord>();
  return {
    load: (unit) => Promise.resolve(records.get(unit)),
    save: (unit, record) => {
      if (record === undefined) {
        records.delete(unit);
      } else {
        records.set(unit, record);
      }
      return Promise.resolve();
    },
  };
}

/** How many failed targets are recorded by name; one is enough to know that the operation has failed. */
const mostFailures = 50;
/** The longest recorded error, in characters. */
const longestError = 300;

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
