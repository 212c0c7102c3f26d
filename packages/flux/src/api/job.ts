import { type JsonObject, JsonReader, type JsonValue } from "@weir/base";
import {
  decodeUpdateResult,
  decodeUpdateSpec,
  encodeUpdateResult,
  encodeUpdateSpec,
} from "../update/wire.ts";
import type { JobResult, JobState, JobStatusReport } from "./api-server.ts";

/** job.Status: {"Result", "Err", "StatusString"}. */
export function encodeJobStatus({ state, error, result }: JobStatusReport): JsonObject {
  return { Result: encodeJobResult(result), Err: error, StatusString: state };
}

/**
 * Decodes the result of encodeJobStatus; throws like decodeUpdateSpec. An unknown state is decoded as
 * "queued".
 */
export function decodeJobStatus(value: JsonValue): JobStatusReport {
  const reader = new JsonReader(value);
  return {
    state: states.find((state) => state === reader.text("StatusString")) ?? "queued",
    error: reader.text("Err"),
    result: decodeJobResult(reader.object("Result")),
  };
}

const states: readonly JobState[] = ["queued", "running", "failed", "succeeded"];

/** job.Result, with only the fields that are set. */
export function encodeJobResult({ revision, spec, result, pushRetries }: JobResult): JsonObject {
  return {
    ...(revision === undefined || revision === "" ? {} : { revision }),
    ...(spec === undefined ? {} : { spec: encodeUpdateSpec(spec) }),
    ...(result === undefined || result === null || result.size === 0
      ? {}
      : { result: encodeUpdateResult(result) }),
    ...(pushRetries === undefined ? {} : { pushRetries }),
  };
}

function decodeJobResult(reader: JsonReader): JobResult {
  const revision = reader.text("revision");
  const spec = reader.value("spec", decodeUpdateSpec);
  const result = reader.value("result", decodeUpdateResult);
  const pushRetries = reader.integer("pushRetries");
  return {
    ...(revision === "" ? {} : { revision }),
    ...(spec === undefined ? {} : { spec }),
    ...(result === undefined ? {} : { result }),
    ...(pushRetries === 0 ? {} : { pushRetries }),
  };
}
