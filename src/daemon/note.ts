import { isJsonObject, type JsonValue, stringifyGoJson } from "@weir/base";
import {
  decodeUpdateResult,
  decodeUpdateSpec,
  encodeUpdateResult,
  encodeUpdateSpec,
  type UpdateResult,
  type UpdateSpec,
} from "@weir/flux";

/** The commit that another one undoes. */
export interface UndoneCommit {
  readonly revision: string;
}

/** The content of the git note on one of our commits: the job that made it, the request, and the result. */
export interface Note {
  readonly jobId: string;
  readonly spec: UpdateSpec;
  /** null for policy changes. */
  readonly result: UpdateResult | null;
  /** Set if the commit undoes another one. */
  readonly undo?: UndoneCommit;
}

/**
 * The text of a note, byte for byte as Flux v1 writes it. That a commit undoes another one is in a field of its own,
 * which Flux v1 ignores: it would stop syncing at a spec of a type that it doesn't know.
 */
export function printNote({ jobId, spec, result, undo }: Note): string {
  const note = {
    jobID: jobId,
    spec: encodeUpdateSpec(spec),
    result: result && encodeUpdateResult(result),
    ...(undo === undefined ? {} : { undo: { revision: undo.revision } }),
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
    const { result = null, undo } = value;
    return {
      jobId: value["jobID"],
      spec: decodeUpdateSpec(value["spec"]),
      result: result === null ? null : decodeUpdateResult(result),
      ...(isJsonObject(undo) && typeof undo["revision"] === "string"
        ? { undo: { revision: undo["revision"] } }
        : {}),
    };
  } catch {
    return undefined;
  }
}
