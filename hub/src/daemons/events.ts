/** Events of daemons as the store has them. Decides only. */
import { createHash } from "node:crypto";
import { stringifyGoJson } from "@weir/base";
import { type EventDetail, partsOfResourceId, printEvent, type ResourceId } from "@weir/flux";
import type { LoggedEvent } from "@weir/flux/api";
import type { ReceivedEvent } from "@weir/upstream-server";
import type { NewEvent } from "../store/events.ts";
import type { Synced } from "../store/instance-syncs.ts";
import type { PresenceChange } from "../store/presence.ts";
import type { Severity } from "../store/schema.ts";
import { withoutCredentials } from "./snapshot.ts";

/** An event of an instance, to be stored. The same event has the same fingerprint however often it's posted. */
export function newEvent(instanceId: string, event: ReceivedEvent): NewEvent {
  const { type, workloads, endedAt, metadata } = event;
  return {
    instanceId,
    type,
    severity: severityOf(event),
    at: endedAt,
    namespaces: namespacesOf(workloads),
    workloadIds: workloads,
    revision: revisionOf(event),
    message: messageOf(event),
    metadata,
    fingerprint: fingerprintOf(event),
  };
}

/** When an instance was synced, and to what; undefined for other events. How it is since then is read from the daemon. */
export function syncedBy(instanceId: string, { detail, endedAt }: ReceivedEvent): Synced | undefined {
  return detail?.type === "sync"
    ? { instanceId, at: endedAt, revision: detail.commits[0]?.revision ?? "" }
    : undefined;
}

/**
 * What a daemon's own log says and the daemon doesn't post, because Flux has no type for it: that it put back what was
 * changed in the cluster, what failed altogether, and who suspended or resumed something.
 */
export function unpostedEvent(instanceId: string, event: LoggedEvent, now: number): NewEvent | undefined {
  const { id, type, workloads, logLevel, message, metadata } = event;
  if (postedTypes.has(type)) {
    return undefined;
  }
  return {
    ...{ instanceId, type, metadata, workloadIds: workloads, revision: "" },
    severity: type === "drift" ? "warning" : severityOf({ logLevel, detail: undefined }),
    at: Number.isNaN(event.startedAt.getTime()) ? new Date(now) : event.startedAt,
    namespaces: namespacesOf(workloads),
    message: withoutCredentials(message),
    fingerprint: `log ${id}`,
  };
}

/** All that FluxEvent has: these are posted. */
const postedTypes: ReadonlySet<string> = new Set<EventDetail["type"]>([
  "sync",
  "commit",
  "release",
  "autorelease",
]);

/** That an instance can't work, as the console sees it: daemons of Flux v1 have no event for that. */
export function problemEvent(instanceId: string, problem: string, now: number): NewEvent {
  return {
    ...{ instanceId, type: "failure", severity: "error", at: new Date(now), message: problem },
    ...aboutInstance,
    fingerprint: `problem ${now}`,
  };
}

/** That a daemon is gone, or back. */
export function presenceEvent({ instanceId, kind, since }: PresenceChange, now: number): NewEvent {
  const isThere = kind === "back" || kind === "new";
  return {
    ...{ instanceId, type: isThere ? "connect" : "disconnect", severity: isThere ? "info" : "error" },
    at: new Date(now),
    message: presenceMessage(kind, since),
    ...aboutInstance,
    fingerprint: `${isThere ? "back" : "gone"} ${since.toISOString()}`,
  };
}

function presenceMessage(kind: PresenceChange["kind"], since: Date): string {
  const time = since.toISOString().replace(/^(.*)T(.*)\.\d+Z$/, "$1 $2 UTC");
  switch (kind) {
    case "gone":
      return `The daemon has not been connected since ${time}.`;
    case "missing":
      return `No daemon has connected since the instance was added at ${time}.`;
    case "back":
      return `The daemon is connected again. It was gone since ${time}.`;
    case "new":
      return "The daemon is connected.";
  }
}

const aboutInstance = { namespaces: [], workloadIds: [], revision: "", metadata: null } as const;

function namespacesOf(workloads: readonly ResourceId[]): readonly string[] {
  return [...new Set(workloads.map((id) => partsOfResourceId(id).namespace))];
}

function messageOf({ message, detail, ...event }: ReceivedEvent): string {
  if (message !== "") {
    return message;
  }
  return detail === undefined ? event.type : printEvent({ ...event, detail });
}

function severityOf({ logLevel, detail }: Pick<ReceivedEvent, "logLevel" | "detail">): Severity {
  if (logLevel === "error" || hasError(detail)) {
    return "error";
  }
  return logLevel === "warn" ? "warning" : "info";
}

function hasError(detail: ReceivedEvent["detail"]): boolean {
  switch (detail?.type) {
    case "sync":
      return detail.errors.length > 0;
    case "release":
    case "autorelease":
      return detail.error !== undefined;
    default:
      return false;
  }
}

function revisionOf({ detail }: ReceivedEvent): string {
  switch (detail?.type) {
    case "sync":
      return detail.commits[0]?.revision ?? "";
    case "commit":
    case "release":
    case "autorelease":
      return detail.revision;
    default:
      return "";
  }
}

/** Daemons don't number their events, but never have two that are alike in all of this. */
function fingerprintOf({
  id,
  type,
  startedAt,
  endedAt,
  workloads,
  message,
  metadata,
}: ReceivedEvent): string {
  const content = [id, type, startedAt.toISOString(), endedAt.toISOString(), workloads, message, metadata];
  return createHash("sha256")
    .update(stringifyGoJson(content, { sortKeys: true }))
    .digest("base64url");
}
