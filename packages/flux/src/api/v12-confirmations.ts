import { type JsonObject, JsonReader, type JsonValue, textAt } from "@weir/base";
import { toldResourceId } from "../resource/id.ts";
import type { Confirmation, ConfirmationReport, PendingReport } from "./inspection.ts";

/** {"revision", "unconfirmed": [id], "heldBack": [id], "reason"}. */
export function encodePending({ revision, unconfirmed, heldBack, reason }: PendingReport): JsonObject {
  return { revision, unconfirmed, heldBack, reason };
}

/** Decodes the result of encodePending. Throws JsonShapeError. */
export function decodePending(value: JsonValue): PendingReport {
  const reader = new JsonReader(value);
  return {
    revision: reader.text("revision"),
    unconfirmed: idsIn(reader, "unconfirmed"),
    heldBack: idsIn(reader, "heldBack"),
    reason: reader.text("reason"),
  };
}

/** {"user", "resources": [id], "pruneRevision"}. */
export function encodeConfirmation({ user, resources, pruneRevision }: Confirmation): JsonObject {
  return { user, resources, pruneRevision };
}

/** Decodes the result of encodeConfirmation. Throws JsonShapeError. */
export function decodeConfirmation(value: JsonValue): Confirmation {
  const reader = new JsonReader(value);
  return {
    user: reader.text("user"),
    resources: idsIn(reader, "resources"),
    pruneRevision: reader.text("pruneRevision"),
  };
}

/** {"revision", "resources": [id], "forgotten"}. */
export function encodeConfirmed({ revision, resources, forgotten }: ConfirmationReport): JsonObject {
  return { revision, resources, forgotten };
}

/** Decodes the result of encodeConfirmed. Throws JsonShapeError. */
export function decodeConfirmed(value: JsonValue): ConfirmationReport {
  const reader = new JsonReader(value);
  return {
    revision: reader.text("revision"),
    resources: idsIn(reader, "resources"),
    forgotten: reader.text("forgotten"),
  };
}

function idsIn(reader: JsonReader, name: string) {
  return reader.list(name, (id, at) => toldResourceId(textAt(id, at))) ?? [];
}
