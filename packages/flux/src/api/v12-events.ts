import { type JsonObject, JsonReader, type JsonValue, listAt, printGoTime, textAt } from "@weir/base";
import { toldResourceId } from "../resource/id.ts";
import type { LoggedEvent } from "./inspection.ts";

/** Encodes events as Flux v1 posts them to an upstream, each with its message. */
export function encodeLoggedEvents(events: readonly LoggedEvent[]): readonly JsonObject[] {
  return events.map(({ id, workloads, type, startedAt, endedAt, logLevel, message, metadata }) => ({
    id,
    serviceIDs: workloads,
    type,
    startedAt: printGoTime(startedAt),
    endedAt: printGoTime(endedAt),
    logLevel,
    message,
    metadata,
  }));
}

/** Decodes the result of encodeLoggedEvents. Throws JsonShapeError. */
export function decodeLoggedEvents(value: JsonValue): readonly LoggedEvent[] {
  return listAt(value, "", decodeLoggedEvent);
}

const levels: readonly LoggedEvent["logLevel"][] = ["debug", "info", "warn", "error"];

function decodeLoggedEvent(value: JsonValue, path: string): LoggedEvent {
  const reader = new JsonReader(value, path);
  return {
    id: reader.integer("id"),
    type: reader.text("type"),
    workloads: reader.list("serviceIDs", (id, at) => toldResourceId(textAt(id, at))) ?? [],
    startedAt: new Date(reader.text("startedAt")),
    endedAt: new Date(reader.text("endedAt")),
    logLevel: levels.find((level) => level === reader.text("logLevel")) ?? "info",
    message: reader.text("message"),
    metadata: reader.value("metadata", (metadata) => metadata) ?? null,
  };
}
