import { type JsonObject, JsonReader, type JsonValue } from "@weir/base";
import type { ResourceStatus } from "../cluster/tree.ts";
import { toldResourceId } from "../resource/id.ts";
import type { TreeReport } from "./inspection.ts";

/** {"revision", "version", "resources": [{"id", "apiVersion", "source", "sync", "health", "message", "children": [the same]}]}. */
export function encodeTree({ revision, version, resources }: TreeReport): JsonObject {
  return {
    revision,
    ...(version === undefined ? {} : { version }),
    resources: resources.map(encodeStatus),
  };
}

/** Decodes the result of encodeTree. Throws JsonShapeError. */
export function decodeTree(value: JsonValue): TreeReport {
  const reader = new JsonReader(value);
  const version = reader.text("version");
  return {
    revision: reader.text("revision"),
    ...(version === "" ? {} : { version }),
    resources: reader.list("resources", decodeStatus) ?? [],
  };
}

const syncs: readonly ResourceStatus["sync"][] = ["Synced", "OutOfSync", "Ignored", "Obsolete"];

function encodeStatus({
  id,
  apiVersion,
  source,
  sync,
  health,
  message,
  children,
}: ResourceStatus): JsonObject {
  return { id, apiVersion, source, sync, health, message, children: children.map(encodeStatus) };
}

function decodeStatus(value: JsonValue, path: string): ResourceStatus {
  const reader = new JsonReader(value, path);
  return {
    id: toldResourceId(reader.text("id")),
    apiVersion: reader.text("apiVersion"),
    source: reader.text("source"),
    sync: syncs.find((sync) => sync === reader.text("sync")) ?? "",
    health: reader.text("health"),
    message: reader.text("message"),
    children: reader.list("children", decodeStatus) ?? [],
  };
}
