/** Where jobs can be, in the order in which they get there, and all ways from one state to the next. */

/**
 * Where a job is. It's "sent" from the moment before the daemon is asked until it answers; if the answer never comes, the
 * job is "lost" until its result is found, and for good once it has ended. A job that was sent is never sent again.
 */
export const jobStates = [
  "waiting-for-approval",
  "queued",
  "sent",
  "running",
  "succeeded",
  "failed",
  "lost",
  "rejected",
  "cancelled",
] as const;

export type JobState = (typeof jobStates)[number];

/** A step from one of some states to another. With `ends`, it's the last one; no step leads on from a job that has ended. */
export interface Transition {
  readonly from: readonly JobState[];
  readonly to: JobState;
  readonly ends?: true;
}

/** What can happen to a job, once it was requested: as "waiting-for-approval" or "queued". */
export const transitions = {
  approve: { from: ["waiting-for-approval"], to: "queued" },
  reject: { from: ["waiting-for-approval"], to: "rejected", ends: true },
  /** By whoever may, or because it has waited for too long. */
  cancel: { from: ["waiting-for-approval", "queued"], to: "cancelled", ends: true },
  claim: { from: ["queued"], to: "sent" },
  /** It wasn't sent after all. */
  release: { from: ["sent"], to: "queued" },
  /** The daemon has it, which may become known only after it was lost. */
  accept: { from: ["sent", "lost"], to: "running" },
  succeed: { from: ["sent", "running", "lost"], to: "succeeded", ends: true },
  fail: { from: ["sent", "running", "lost"], to: "failed", ends: true },
  /** The connection ended before the daemon's answer came. */
  miss: { from: ["sent"], to: "lost" },
  /** The daemon doesn't know it any more. */
  forget: { from: ["running"], to: "lost" },
  /** There's no sign of it. */
  giveUp: { from: ["lost"], to: "lost", ends: true },
  /** Its daemon has been away for too long. */
  abandon: { from: ["sent", "running", "lost"], to: "lost", ends: true },
} as const satisfies Readonly<Record<string, Transition>>;

export type TransitionName = keyof typeof transitions;
