import { isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { OperationRecord, TaskRecord } from "./operation-record.ts";

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
