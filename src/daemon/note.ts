import { isJsonObject, type JsonValue, stringifyGoJson } from "@weir/base";
import type { UpdateResult } from "../update/result.ts";
import type { UpdateSpec } from "../update/spec.ts";
import {
  decodeUpdateResult,
  decodeUpdateSpec,
  encodeUpdateResult,
  encodeUpdateSpec,
} from "../update/wire.ts";

/** What the git note on a commit of ours records: which job made it, what was asked, what came of it. */
export interface Note {
  readonly jobId: string;
  readonly spec: UpdateSpec;
  /** null for changes of policies. */
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
 * Reads a note; undefined where the text is none of ours. Flux v1 stops syncing for good at a note that it
 * cannot read; here it counts as no note.
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
