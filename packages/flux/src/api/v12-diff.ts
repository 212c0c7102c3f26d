import { type JsonObject, JsonReader, type JsonValue, jsonObjectAt } from "@weir/base";
import type { ResourcePreview } from "../cluster/preview.ts";
import { toldResourceId } from "../resource/id.ts";
import type { DiffReport } from "./inspection.ts";

/** {"revision", "changes": [{"id", "apiVersion", "source", "action", "before", "after", "error", "reason"}]}. */
export function encodeDiff({ revision, changes }: DiffReport): JsonObject {
  return {
    revision,
    changes: changes.map(({ id, apiVersion, source, action, before, after, error, reason }) => ({
      id,
      apiVersion,
      source,
      action,
      before,
      after,
      error,
      reason,
    })),
  };
}

/** Decodes the result of encodeDiff. Throws JsonShapeError. */
export function decodeDiff(value: JsonValue): DiffReport {
  const reader = new JsonReader(value);
  return { revision: reader.text("revision"), changes: reader.list("changes", decodeChange) ?? [] };
}

const actions: readonly ResourcePreview["action"][] = ["create", "change", "delete", "run"];

function decodeChange(value: JsonValue, path: string): ResourcePreview {
  const reader = new JsonReader(value, path);
  return {
    id: toldResourceId(reader.text("id")),
    apiVersion: reader.text("apiVersion"),
    source: reader.text("source"),
    action: actions.find((action) => action === reader.text("action")) ?? "leave",
    before: reader.value("before", jsonObjectAt) ?? null,
    after: reader.value("after", jsonObjectAt) ?? null,
    error: reader.text("error"),
    reason: reader.text("reason"),
  };
}
