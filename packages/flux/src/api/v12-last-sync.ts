import { type JsonObject, JsonReader, type JsonValue, printGoTime, textAt } from "@weir/base";
import type { ResourceError } from "../cluster/sync-set.ts";
import { toldResourceId } from "../resource/id.ts";
import type { LastSyncReport } from "./inspection.ts";

/** {"revision", "endedAt" ("" if none has ended), "failure", "errors": [{"id", "source", "error"}], "isRunning", "waitingFor"}. */
export function encodeLastSync(report: LastSyncReport): JsonObject {
  const { revision, endedAt, failure, errors, isRunning, waitingFor } = report;
  return {
    revision,
    endedAt: endedAt === undefined ? "" : printGoTime(endedAt),
    failure,
    errors: errors.map(({ id, source, error }) => ({ id, source, error })),
    isRunning,
    waitingFor,
  };
}

/** Decodes the result of encodeLastSync. Throws JsonShapeError. */
export function decodeLastSync(value: JsonValue): LastSyncReport {
  const reader = new JsonReader(value);
  const endedAt = reader.text("endedAt");
  return {
    revision: reader.text("revision"),
    endedAt: endedAt === "" ? undefined : new Date(endedAt),
    failure: reader.text("failure"),
    errors: reader.list("errors", decodeError) ?? [],
    isRunning: reader.flag("isRunning"),
    waitingFor: reader.list("waitingFor", (id, at) => toldResourceId(textAt(id, at))) ?? [],
  };
}

function decodeError(value: JsonValue, path: string): ResourceError {
  const reader = new JsonReader(value, path);
  return {
    id: toldResourceId(reader.text("id")),
    source: reader.text("source"),
    error: reader.text("error"),
  };
}
