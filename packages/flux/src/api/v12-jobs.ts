import { type JsonObject, JsonReader, JsonShapeError, type JsonValue } from "@weir/base";
import { decodeUpdateSpec, encodeUpdateSpec } from "../update/wire.ts";
import type { JobRequest, RequestedWork } from "./job-request.ts";
import { decodeUndoRequest, encodeUndoRequest } from "./v12-undo.ts";

/** {"id", "update": a spec as in Flux's API, or "undo": as its own route takes it, "revision"}. */
export function encodeJobRequest({ id, work, revision }: JobRequest): JsonObject {
  return work.kind === "update"
    ? { id, update: encodeUpdateSpec(work.spec), revision }
    : { id, undo: encodeUndoRequest(work.request), revision };
}

/** Decodes the result of encodeJobRequest. Throws JsonShapeError, or as the decoders of specs do. */
export function decodeJobRequest(value: JsonValue): JobRequest {
  const reader = new JsonReader(value);
  const id = reader.text("id");
  if (!/^[\w-]{8,64}$/.test(id)) {
    throw new JsonShapeError("id", "8 to 64 letters, digits, and dashes", id);
  }
  const work = decodeWork(value, reader);
  const revision = reader.text("revision");
  if (revision !== "" && work.kind === "update" && work.spec.type !== "sync") {
    throw new JsonShapeError("revision", "empty for what is neither a sync nor an undo", revision);
  }
  return { id, work, revision };
}

function decodeWork(value: JsonValue, reader: JsonReader): RequestedWork {
  const spec = reader.value("update", decodeUpdateSpec);
  const request = reader.value("undo", decodeUndoRequest);
  if (spec !== undefined && request === undefined) {
    return { kind: "update", spec };
  }
  if (request !== undefined && spec === undefined) {
    return { kind: "undo", request };
  }
  throw new JsonShapeError("", "an object with either update or undo", value);
}

/** {"job"}. */
export function encodeRequestedJob(job: string): JsonObject {
  return { job };
}

/** Decodes the result of encodeRequestedJob. Throws JsonShapeError. */
export function decodeRequestedJob(value: JsonValue): string {
  return new JsonReader(value).text("job");
}
