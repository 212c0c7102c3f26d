/**
 * The progress of a sync as data, so that a sync survives a restart. It contains only what live objects can't
 * tell: which hooks have run and with which result, and what has failed. Applied targets are recognized by
 * comparing them with their live objects. All functions are pure; an OperationStore keeps the record.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@weir/base";

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

/** The form of a serialized record; others are ignored. */
const version = 1;

/** The record as text. */
export function serializeOperation(record: OperationRecord): string {
  return JSON.stringify({ version, ...record });
}

/** The record in a text; undefined if it isn't one, or is one of another version. */
export function parseOperation(text: string): OperationRecord | undefined {
  const json = jsonIn(text);
  if (!isJsonObject(json) || json["version"] !== version) {
    return undefined;
  }
  const { id, revision, generation, startedAt, failedAt, tasks, dropped } = json;
  const parsed = isJsonObject(tasks) ? tasksIn(tasks) : undefined;
  if (
    typeof id !== "string" ||
    id === "" ||
    typeof revision !== "string" ||
    !isNumber(generation) ||
    !isNumber(startedAt) ||
    parsed === undefined
  ) {
    return undefined;
  }
  return {
    id,
    revision,
    generation,
    startedAt,
    ...(isNumber(failedAt) ? { failedAt } : {}),
    tasks: parsed,
    ...(isNumber(dropped) ? { dropped } : {}),
  };
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function tasksIn(json: JsonObject): OperationRecord["tasks"] | undefined {
  const entries = Object.entries(json).map(([id, value]) => [id, taskIn(value)] as const);
  const tasks = entries.flatMap(([id, task]) => (task === undefined ? [] : [[id, task] as const]));
  return tasks.length === entries.length ? Object.fromEntries(tasks) : undefined;
}

function taskIn(json: JsonValue | undefined): TaskRecord | undefined {
  if (!isJsonObject(json)) {
    return undefined;
  }
  const { outcome, uid, error, at } = json;
  if (!isOutcome(outcome) || !isNumber(at)) {
    return undefined;
  }
  return {
    outcome,
    ...(typeof uid === "string" ? { uid } : {}),
    ...(typeof error === "string" ? { error } : {}),
    at,
  };
}

function isOutcome(value: JsonValue | undefined): value is TaskRecord["outcome"] {
  return value === "started" || value === "applied" || value === "settled" || value === "failed";
}

function isNumber(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
