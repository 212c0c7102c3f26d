import { isJsonObject, type JsonValue, stringifyGoJson } from "@weir/base";
import type { UpdateResult } from "../update/result.ts";
import type { UpdateSpec } from "../update/spec.ts";
import {
  decodeUpdateResult,
  decodeUpdateSpec,
  encodeUpdateResult,
  encodeUpdateSpec,
} from "../update/wire.ts";

/** The content of the git note on one of our commits: the job that made it, the request, and the result. */
export interface Note {
  readonly jobId: string;
  readonly spec: UpdateSpec;
  /** null for policy changes. */
  readonly result: UpdateResult | null;
}

/** The text of a note, byte for byte as Flux v1 writes it. */
export function printNote({ jobId, spec, result }: Note): string {
  const note = {
    jobID: jobId,
    spec: encodeUpdateSpec(spec),
    result: result && encodeUpdateResult(result),
  };
  return stringifyGoJson(note, { sortKeys: false });
}

/**
 * Parses a note; undefined if the text isn't one of ours. Flux v1 stops syncing for good if it can't parse a note;
 * here, that counts as no note.
 */
export function parseNote(text: string): Note | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (!isJsonObject(value) || typeof value["jobID"] !== "string" || value["spec"] === undefined) {
      return undefined;
    }
    const result = value["result"] ?? null;
    return {
      jobId: value["jobID"],
      spec: decodeUpdateSpec(value["spec"]),
      result: result === null ? null : decodeUpdateResult(result),
    };
  } catch {
    return undefined;
  }
}
