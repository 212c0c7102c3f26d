import type { SyncState } from "../../src/contract/instances.ts";
import type { JobSpec, JobState } from "../../src/contract/jobs.ts";
import type { Health } from "../../src/contract/workloads.ts";

/** How something is shown: its color says whether to worry. */
export type Tone = "good" | "busy" | "warning" | "bad" | "quiet";

/** A word with its color. */
export interface Toned {
  readonly text: string;
  readonly tone: Tone;
}

export const healthWords: Readonly<Record<Health, Toned>> = {
  healthy: { text: "Healthy", tone: "good" },
  progressing: { text: "Progressing", tone: "busy" },
  degraded: { text: "Degraded", tone: "bad" },
  unknown: { text: "Unknown", tone: "quiet" },
};

export const syncWords: Readonly<Record<SyncState, Toned>> = {
  synced: { text: "Synced", tone: "good" },
  behind: { text: "Behind", tone: "warning" },
  failed: { text: "Failed", tone: "bad" },
  unknown: { text: "Unknown", tone: "quiet" },
};

export const jobWords: Readonly<Record<JobState, Toned>> = {
  "waiting-for-approval": { text: "Waiting for approval", tone: "warning" },
  queued: { text: "Queued", tone: "busy" },
  sent: { text: "Sent", tone: "busy" },
  running: { text: "Running", tone: "busy" },
  succeeded: { text: "Succeeded", tone: "good" },
  failed: { text: "Failed", tone: "bad" },
  lost: { text: "Lost", tone: "bad" },
  rejected: { text: "Rejected", tone: "quiet" },
  cancelled: { text: "Cancelled", tone: "quiet" },
};

export const jobKinds: Readonly<Record<JobSpec["kind"], string>> = {
  release: "Release",
  policy: "Policy change",
  sync: "Sync",
  undo: "Undo",
  "take-over": "Take over into git",
};

/** The health of an object in a tree, which daemons name freely. */
export function healthOf(text: string): Toned {
  const name = text.toLowerCase();
  return isHealth(name) ? healthWords[name] : { text: text === "" ? "Unknown" : text, tone: "quiet" };
}

function isHealth(text: string): text is Health {
  return Object.hasOwn(healthWords, text);
}
