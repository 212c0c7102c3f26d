/** Events of daemons as the store has them. Decides only. */
import { createHash } from "node:crypto";
import { stringifyGoJson } from "@weir/base";
import type { ReceivedEvent } from "../../api/upstream-server/received-event.ts";
import { printEvent } from "../../event/message.ts";
import { partsOfResourceId } from "../../resource/id.ts";
import type { NewEvent } from "../store/events.ts";
import type { Severity } from "../store/schema.ts";
import type { Synced } from "../store/synced.ts";

/** An event of an instance, to be stored. The same event has the same fingerprint however often it's posted. */
export function newEvent(instanceId: string, event: ReceivedEvent): NewEvent {
  const { type, workloads, endedAt, metadata } = event;
  return {
    instanceId,
    type,
    severity: severityOf(event),
    at: endedAt,
    namespaces: [...new Set(workloads.map((id) => partsOfResourceId(id).namespace))],
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

function messageOf({ message, detail, ...event }: ReceivedEvent): string {
  if (message !== "") {
    return message;
  }
  return detail === undefined ? event.type : printEvent({ ...event, detail });
}

function severityOf({ logLevel, detail }: ReceivedEvent): Severity {
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
