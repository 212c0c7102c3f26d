import { type JsonObject, JsonReader, type JsonValue } from "@weir/base";
import { integer, record, resources, text, time, word } from "./codec.ts";
import { type HistoryEntry, type HistoryPage, historyKinds } from "./history.ts";

/** {"entries": [the fields of a HistoryEntry, with "time"], "next"}. */
export function encodeHistory({ entries, next }: HistoryPage): JsonObject {
  return { entries: entries.map(entry.encode), next };
}

/** Decodes the result of encodeHistory; entries of kinds that this version doesn't know are left out. Throws JsonShapeError. */
export function decodeHistory(value: JsonValue): HistoryPage {
  const reader = new JsonReader(value);
  const entries = reader.list("entries", (each, path) => {
    const kind = new JsonReader(each, path).text("kind");
    return historyKinds.some((known) => known === kind) ? [entry.decode(each, path)] : [];
  });
  return { entries: (entries ?? []).flat(), next: reader.text("next") };
}

const entry = record<HistoryEntry>(
  { kind: word(historyKinds), at: time, user: text, revision: text, message: text, resources, more: integer },
  { at: "time" },
);
