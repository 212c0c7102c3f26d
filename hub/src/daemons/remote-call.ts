/** Calls of daemons as consoles send them to each other, and what becomes of them. */
import { type JsonObject, JsonReader, type JsonValue, messageOf } from "@weir/base";
import { FluxError } from "@weir/flux";
import { decodeFluxError, encodeFluxError } from "@weir/flux/api";
import { FatalError, RemoteError, UnavailableError, unavailableError } from "@weir/upstream-server";

/** A message from one console to another. */
export type ConsoleMessage =
  /** Call a method of a daemon, over this connection only. */
  | {
      readonly kind: "call";
      readonly id: string;
      /** The console that waits for the answer. */
      readonly from: string;
      readonly instanceId: string;
      readonly leaseId: string;
      readonly method: string;
      readonly argument: JsonValue;
      /** In milliseconds. */
      readonly timeout: number;
    }
  /** The call has arrived, but its answer takes time. */
  | { readonly kind: "working"; readonly id: string }
  /** Nobody waits for the answer any more. */
  | { readonly kind: "cancel"; readonly id: string }
  | { readonly kind: "answer"; readonly id: string; readonly outcome: Outcome }
  /** A connection has been replaced by a newer one. */
  | { readonly kind: "close"; readonly leaseId: string };

/** What became of a call. */
export type Outcome = { readonly result: JsonValue } | { readonly error: Error };

/** A message as JSON. */
export function encodeMessage(message: ConsoleMessage): JsonObject {
  return message.kind === "answer"
    ? { kind: message.kind, id: message.id, ...encodeOutcome(message.outcome) }
    : { ...message };
}

/** Decodes the result of encodeMessage; undefined for a kind that only a newer console knows. Throws JsonShapeError. */
export function decodeMessage(value: JsonValue): ConsoleMessage | undefined {
  const reader = new JsonReader(value);
  const [kind, id, leaseId] = [reader.text("kind"), reader.text("id"), reader.text("leaseId")];
  switch (kind) {
    case "call":
      return {
        kind,
        ...{ id, leaseId },
        from: reader.text("from"),
        instanceId: reader.text("instanceId"),
        method: reader.text("method"),
        argument: reader.value("argument", (argument) => argument) ?? null,
        timeout: reader.integer("timeout"),
      };
    case "working":
    case "cancel":
      return { kind, id };
    case "close":
      return { kind, leaseId };
    case "answer":
      return { kind, id, outcome: decodeOutcome(reader) };
    default:
      return undefined;
  }
}

function encodeOutcome(outcome: Outcome): JsonObject {
  if ("result" in outcome) {
    return { result: outcome.result };
  }
  const { error } = outcome;
  return { failure: failureOf(error), message: messageOf(error), ...asFluxError(error) };
}

function asFluxError(error: Error): JsonObject {
  return error instanceof FluxError ? { error: encodeFluxError(error) } : {};
}

function failureOf(error: Error): string {
  if (error instanceof UnavailableError) {
    return "unavailable";
  }
  if (error instanceof FluxError) {
    return "refused";
  }
  return error instanceof RemoteError ? "remote" : "fatal";
}

function decodeOutcome(reader: JsonReader): Outcome {
  const message = reader.text("message");
  switch (reader.text("failure")) {
    case "":
      return { result: reader.value("result", (result) => result) ?? null };
    case "unavailable":
      return { error: unavailableError(new Error(message)) };
    case "refused":
      return { error: reader.value("error", decodeFluxError) ?? new RemoteError(message) };
    case "remote":
      return { error: new RemoteError(message) };
    default:
      return { error: new FatalError(message) };
  }
}
