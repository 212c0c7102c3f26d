/** How jobs ended, by what a daemon says of them. Decides only. */
import { equalJson, isJsonObject, type JsonValue } from "@weir/base";
import { decodeUpdateSpec, encodeUpdateSpec, FluxError } from "@weir/flux";
import { encodeJobResult, type JobStatusReport } from "@weir/flux/api";
import { RemoteError, UnavailableError } from "@weir/upstream-server";
import type { StoredEvent } from "../store/events.ts";
import type { JobOutcome } from "../store/job-lifecycle.ts";
import type { Job } from "../store/jobs.ts";

/** How a job ended; undefined if it hasn't. */
export function outcomeOf({ state, error, result }: JobStatusReport): JobOutcome | undefined {
  return state === "succeeded" || state === "failed"
    ? { state, error, revision: result.revision ?? "", result: encodeJobResult(result) }
    : undefined;
}

/** A job that the daemon refused, with its reason. */
export function refusedWith(error: Error): JobOutcome {
  return { state: "failed", error: error.message, revision: "", result: null };
}

/** True if the daemon itself answered with this error: then it hasn't done, and won't do, what it was asked. */
export function isAnswer(error: unknown): error is Error {
  return error instanceof RemoteError || (error instanceof FluxError && !(error instanceof UnavailableError));
}

/** True if a daemon doesn't know the job that it was asked about. */
export function isUnknownJob(error: unknown): boolean {
  return error instanceof FluxError && error.kind === "missing";
}

/** A job that a daemon never got, or forgot without having committed anything for it. */
export const notDone: JobOutcome = {
  state: "failed",
  error:
    "The daemon doesn't know the job: it didn't get it, or restarted before it was done. Nothing was changed.",
  revision: "",
  result: null,
};

/**
 * How a job ended whose number is not known, by the commits that its daemon told of since it was sent: undefined if none
 * of them was made for the very same request. Each commit is that of one job, so that those of others don't count.
 */
export function outcomeByEvents(
  job: Pick<Job, "spec">,
  events: readonly StoredEvent[],
  ofOthers: ReadonlySet<string>,
): JobOutcome | undefined {
  const wanted = normalized(job.spec);
  const event = events.find(
    ({ type, metadata, revision }) =>
      type === "commit" &&
      !ofOthers.has(revision) &&
      isJsonObject(metadata) &&
      equalJson(normalized(metadata["spec"] ?? null), wanted),
  );
  return event && { state: "succeeded", error: "", revision: event.revision, result: null };
}

/** A spec in one form, however it was written; as it is if it isn't one. */
function normalized(spec: JsonValue): JsonValue {
  try {
    return encodeUpdateSpec(decodeUpdateSpec(spec));
  } catch {
    return spec;
  }
}
