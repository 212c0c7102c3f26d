import { type JsonObject, JsonReader, type JsonValue, printGoTime, textAt } from "@weir/base";
import { toldResourceId } from "../resource/id.ts";
import { type HistoryEntry, type HistoryPage, historyKinds } from "./history.ts";

/** {"entries": [{"kind", "time", "user", "revision", "message", "resources": [id], "more"}], "next"}. */
export function encodeHistory({ entries, next }: HistoryPage): JsonObject {
  return { entries: entries.map(encodeEntry), next };
}

/** Decodes the result of encodeHistory; entries of kinds that this version doesn't know are left out. Throws JsonShapeError. */
export function decodeHistory(value: JsonValue): HistoryPage {
  const reader = new JsonReader(value);
  const entries = reader.list("entries", decodeEntry) ?? [];
  return { entries: entries.flatMap((entry) => entry ?? []), next: reader.text("next") };
}

function encodeEntry({ kind, at, user, revision, message, resources, more }: HistoryEntry): JsonObject {
  return { kind, time: printGoTime(at), user, revision, message, resources, more };
}

function decodeEntry(value: JsonValue, path: string): HistoryEntry | undefined {
  const reader = new JsonReader(value, path);
  const kind = historyKinds.find((each) => each === reader.text("kind"));
  return kind === undefined
    ? undefined
    : {
        kind,
        at: new Date(reader.text("time")),
        user: reader.text("user"),
        revision: reader.text("revision"),
        message: reader.text("message"),
        resources: reader.list("resources", (id, at) => toldResourceId(textAt(id, at))) ?? [],
        more: reader.integer("more"),
      };
}
