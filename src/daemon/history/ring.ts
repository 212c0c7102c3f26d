/**
 * The syncs that changed something, as they are stored: a text of limited size, from which the oldest ones are dropped.
 * It names resources and counts failures, and contains no error messages, because these can quote decrypted manifests.
 */
import { type JsonObject, JsonReader, type JsonValue, textAt } from "@weir/base";
import { type ChangeAuthor, type ResourceId, type SyncedChange, toldResourceId } from "@weir/flux";

/** A sync that changed something. */
export interface SyncRecord {
  /** Increases with each record, even across restarts. */
  readonly sequence: number;
  /** "drift" if nothing new was in git: somebody else had changed the cluster. */
  readonly kind: "sync" | "drift";
  readonly at: Date;
  readonly revision: string;
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  /** How many resources were refused. */
  readonly failed: number;
  /** Some of the resources, or all if there are few. */
  readonly resources: readonly ResourceId[];
  /** Who changed what was put back, as far as it's known, without repetitions. */
  readonly authors: readonly ChangeAuthor[];
}

/** What a sync did. */
export interface DoneSync {
  readonly kind: SyncRecord["kind"];
  readonly at: Date;
  readonly revision: string;
  readonly changes: readonly SyncedChange[];
  readonly failed: number;
}

/** The limits of what's stored. */
export const ringLimits = { bytes: 64 * 1024, resources: 20, authors: 3 } as const;

/** The record of a sync, after the one with sequence `last`. */
export function recordOf({ kind, at, revision, changes, failed }: DoneSync, last: number): SyncRecord {
  const count = (what: SyncedChange["what"]): number => changes.filter((each) => each.what === what).length;
  // Starting from the time, so that sequences increase even if the earlier records were lost.
  const sequence = Math.max(at.getTime(), last + 1);
  const resources = changes.slice(0, ringLimits.resources).map(({ id }) => id);
  const [created, changed, deleted] = [count("created"), count("changed"), count("deleted")];
  const authors = kind === "drift" ? authorsOf(changes) : [];
  return { sequence, kind, at, revision, created, changed, deleted, failed, resources, authors };
}

/** Each manager once, with its last change. */
function authorsOf(changes: readonly SyncedChange[]): readonly ChangeAuthor[] {
  const known = changes.flatMap(({ putBackFrom }) => putBackFrom ?? []);
  const latest = known.toSorted((a, b) => (b.at?.getTime() ?? 0) - (a.at?.getTime() ?? 0));
  const managers = [...new Set(latest.map(({ manager }) => manager))].slice(0, ringLimits.authors);
  return managers.flatMap((manager) => latest.find((author) => author.manager === manager) ?? []);
}

/** All records of two lists, newest first, each once. */
export function mergeRecords(
  one: readonly SyncRecord[],
  other: readonly SyncRecord[],
): readonly SyncRecord[] {
  const all = new Map([...one, ...other].map((record) => [record.sequence, record]));
  return [...all.values()].toSorted((a, b) => b.sequence - a.sequence);
}

/** The newest records that fit, as text. */
export function printRing(records: readonly SyncRecord[], mostBytes: number = ringLimits.bytes): string {
  const lines: string[] = [];
  let size = '{"syncs":[]}'.length;
  for (const record of records) {
    const line = JSON.stringify(encodeRecord(record));
    size += Buffer.byteLength(line) + 1;
    if (size > mostBytes) {
      break;
    }
    lines.push(line);
  }
  return `{"syncs":[${lines.join(",")}]}`;
}

/** Parses the result of printRing; undefined for any other text. */
export function parseRing(text: string): readonly SyncRecord[] | undefined {
  try {
    const reader = new JsonReader(JSON.parse(text) as JsonValue);
    return reader.list("syncs", decodeRecord) ?? undefined;
  } catch {
    return undefined;
  }
}

function encodeRecord(record: SyncRecord): JsonObject {
  const { sequence, kind, at, revision, created, changed, deleted, failed, resources, authors } = record;
  const counts = Object.entries({ created, changed, deleted, failed }).filter(([, number]) => number > 0);
  return {
    n: sequence,
    kind,
    at: at.getTime(),
    rev: revision,
    ...Object.fromEntries(counts),
    ids: resources,
    ...(authors.length === 0 ? {} : { by: authors.map(encodeAuthor) }),
  };
}

function decodeRecord(value: JsonValue, path: string): SyncRecord {
  const reader = new JsonReader(value, path);
  return {
    sequence: reader.integer("n"),
    kind: reader.text("kind") === "drift" ? "drift" : "sync",
    at: new Date(reader.integer("at")),
    revision: reader.text("rev"),
    created: reader.integer("created"),
    changed: reader.integer("changed"),
    deleted: reader.integer("deleted"),
    failed: reader.integer("failed"),
    resources: reader.list("ids", (id, at) => toldResourceId(textAt(id, at))) ?? [],
    authors: reader.list("by", decodeAuthor) ?? [],
  };
}

function encodeAuthor({ manager, at }: ChangeAuthor): JsonObject {
  return { m: manager, ...(at === undefined ? {} : { at: at.getTime() }) };
}

function decodeAuthor(value: JsonValue, path: string): ChangeAuthor {
  const reader = new JsonReader(value, path);
  const at = reader.integer("at");
  return { manager: reader.text("m"), at: at === 0 ? undefined : new Date(at) };
}
