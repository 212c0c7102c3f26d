import type { InspectionClient } from "@weir/flux/client";
import type { RemoteDaemon } from "@weir/upstream-server";
import type { Job } from "../store/jobs.ts";

/** A daemon, wherever it's connected. */
export interface ReachedDaemon {
  /** Rejects like remoteDaemon. */
  readonly api: RemoteDaemon;
  /** Weir's additions; undefined for a daemon of Flux v1. */
  readonly inspection: (signal: AbortSignal) => Promise<InspectionClient | undefined>;
}

/** Whether a job may be sent now. */
export type Admission =
  | {
      readonly isAdmitted: true;
      /** The head of the branch, without which it must not be done; "" if that doesn't matter, or can't be known. */
      readonly revision: string;
    }
  /** Why it's not, for people. */
  | { readonly isAdmitted: false; readonly why: string };

/**
 * Decides whether a job may be sent, at the last moment: whether those who requested and approved it still may, and, if
 * it's exact, whether it would still do what was planned. Rejects if that can't be found out now; then it's asked again.
 */
export type AdmitJob = (job: Job, daemon: ReachedDaemon, signal: AbortSignal) => Promise<Admission>;

/** The topics of the hub. */
export const topics = {
  /** For one console: calls, their answers, and connections to close. */
  console: (consoleId: string) => `console:${consoleId}`,
  /** New events, of one or many instances: {"instanceIds", "ids"}. */
  events: "events",
  /** An instance or its workloads changed: {"instanceId", "workloads": IDs, or null for many}. */
  changes: "changes",
  /** An instance has a job to send, or one changed: {"instanceId", "jobId"}. */
  jobs: "jobs",
  /** An instance was removed or has another token, so its daemon has to connect again: {"instanceId"}. */
  tokens: "tokens",
} as const;
