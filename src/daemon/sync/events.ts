import {
  affectedWorkloads,
  type EventDetail,
  type FluxEvent,
  type ResourceError,
  type ResourceId,
  resultError,
  type SyncIncludes,
} from "@weir/flux";
import type { Note } from "../note.ts";
import type { RepoCommit } from "../ports.ts";

/** A synced commit with its note; undefined if it has none of ours. */
export interface NotedCommit extends RepoCommit {
  readonly note: Note | undefined;
}

/** The sync that the commits belong to. */
export interface NotesContext {
  /** True if nothing was synced before. */
  readonly initialSync: boolean;
  readonly startedAt: Date;
  readonly now: Date;
}

/** The content of the notes on synced commits. */
export interface NotesReport {
  /** Release events, oldest commit first. */
  readonly events: readonly FluxEvent[];
  readonly includes: SyncIncludes;
  /** True if a note was found although nothing was synced before: another daemon may be using the repository. */
  readonly unexpected: boolean;
}

/**
 * Finds the releases in a sync from the notes on its commits. On the initial sync, the first note ends the search,
 * because it's most likely somebody else's. Like Flux v1's collectNoteEvents.
 */
export function reportNotes(
  newestFirst: readonly NotedCommit[],
  { initialSync, startedAt, now }: NotesContext,
): NotesReport {
  const events: FluxEvent[] = [];
  const includes: Partial<Record<keyof SyncIncludes, boolean>> = {};
  for (const commit of newestFirst.toReversed()) {
    if (commit.note && initialSync) {
      return { events, includes, unexpected: true };
    }
    includes[kindOfChange(commit.note)] = true;
    const detail = commit.note && releaseDetail(commit.revision, commit.note);
    if (detail) {
      events.push({
        workloads: affectedWorkloads(detail.result),
        startedAt,
        endedAt: now,
        logLevel: "info",
        detail,
      });
    }
  }
  return { events, includes, unexpected: false };
}

function kindOfChange(note: Note | undefined): keyof SyncIncludes {
  switch (note?.spec.type) {
    case "image":
    case "containers":
      return "release";
    case "auto":
      return "autorelease";
    case "policy":
      return "update_policy";
    case "sync":
    case undefined:
      return "other";
  }
}

function releaseDetail(
  revision: string,
  note: Note,
): Extract<EventDetail, { type: "release" | "autorelease" }> | undefined {
  const result = note.result ?? new Map();
  const error = resultError(result);
  const common = { revision, result, ...(error === "" ? {} : { error }) };
  switch (note.spec.type) {
    case "image":
    case "containers":
      return { type: "release", spec: note.spec, ...common };
    case "auto":
      return { type: "autorelease", spec: note.spec, ...common };
    case "policy":
    case "sync":
      return undefined;
  }
}

/** The event for the sync itself; undefined if it had no commits, because idle syncs aren't news. */
export function syncEvent(sync: {
  readonly commits: readonly RepoCommit[];
  readonly workloads: readonly ResourceId[];
  readonly includes: SyncIncludes;
  readonly errors: readonly ResourceError[];
  readonly initialSync: boolean;
  readonly startedAt: Date;
}): FluxEvent | undefined {
  if (sync.commits.length === 0) {
    return undefined;
  }
  return {
    workloads: sync.workloads,
    startedAt: sync.startedAt,
    endedAt: sync.startedAt,
    logLevel: "info",
    detail: {
      type: "sync",
      commits: sync.commits.map(({ revision, message }) => ({ revision, message })),
      includes: sync.includes,
      errors: sync.errors,
      initialSync: sync.initialSync,
    },
  };
}
