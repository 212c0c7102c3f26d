import { affectedWorkloads, type ChangeAuthor, type LoggedCommit, type ResourceId } from "@weir/flux";
import { type HistoryEntry, type HistoryKind, printMoment } from "@weir/flux/api";
import type { Note } from "../note.ts";
import type { SyncRecord } from "./ring.ts";

/** Who is named for what fluxd does by itself. */
const fluxd = "fluxd";

/** A commit with its note and the resources whose manifests it changed, as far as they're known. */
export interface ExplainedCommit {
  readonly commit: LoggedCommit;
  /** Undefined if it has none of ours. */
  readonly note: Note | undefined;
  readonly resources: readonly ResourceId[];
}

/** The entry for a commit: what its note says, or else its author and message. */
export function entryOfCommit({ commit, note, resources }: ExplainedCommit): HistoryEntry {
  const { revision, committedAt, author, message } = commit;
  const common = { kind: kindOf(note), at: committedAt, revision, more: 0 };
  if (note === undefined) {
    return { ...common, user: author, message, resources };
  }
  const { cause } = note.spec;
  const byItself = note.spec.type === "auto" ? fluxd : author;
  return {
    ...common,
    user: cause.user === "" ? byItself : cause.user,
    message: firstLine(cause.message) || message,
    resources: resourcesOf(note),
  };
}

/** The entry for a sync that changed something. */
export function entryOfSync(record: SyncRecord): HistoryEntry {
  const { kind, at, revision, created, changed, deleted, failed, resources, authors } = record;
  const counts = [
    [created, "created"],
    [changed, kind === "drift" ? "put back" : "changed"],
    [deleted, "deleted"],
    [failed, "refused"],
  ] as const;
  const parts = counts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return {
    kind,
    at,
    user: fluxd,
    revision,
    message: [parts.join(", "), ...changedBy(authors)].join("; "),
    resources,
    more: created + changed + deleted - resources.length,
  };
}

function changedBy(authors: readonly ChangeAuthor[]): readonly string[] {
  const names = authors.map(({ manager, at }) =>
    at === undefined ? manager : `${manager} at ${printMoment(at)}`,
  );
  return names.length === 0 ? [] : [`changed by ${names.join(", ")}`];
}

function kindOf(note: Note | undefined): HistoryKind {
  if (note?.undo !== undefined) {
    return "undo";
  }
  switch (note?.spec.type) {
    case "image":
    case "containers":
      return "release";
    case "auto":
      return "autorelease";
    case "policy":
      return "policy";
    case "sync":
    case undefined:
      return "commit";
  }
}

/** As in Flux v1, the note of a policy change has no result. */
function resourcesOf({ spec, result }: Note): readonly ResourceId[] {
  if (result !== null) {
    return affectedWorkloads(result);
  }
  return spec.type === "policy" ? [...(spec.spec?.keys() ?? [])] : [];
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.trim() ?? "";
}
