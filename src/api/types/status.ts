import type { Finding } from "@weir/base";
import type { Condition } from "../../cluster/condition.ts";
import type { GitConfigReport } from "./api-server.ts";
import type { LastSyncReport, PendingReport } from "./inspection.ts";
import type { Suspension } from "./suspension.ts";

/** How to find out the status. */
export interface StatusQuery {
  /** True to fetch from git first; as after any fetch, fluxd syncs if there's something new. */
  readonly fetch: boolean;
  /** True to leave out resources and deletions, which take the most to determine. */
  readonly brief: boolean;
}

/** What is in git, by how it is in the cluster. */
export interface ResourceCounts {
  readonly healthy: number;
  readonly degraded: readonly Condition[];
  readonly pending: readonly Condition[];
}

/** The status of a daemon. */
export interface StatusReport {
  readonly git: Pick<GitConfigReport, "url" | "branch" | "status" | "errors">;
  /** What a sync would apply: the head of the branch, or the last verified commit; "" if not known. */
  readonly head: string;
  /** "" if nothing was synced yet. */
  readonly synced: string;
  /** How many commits are between these two; only those that touch the git paths. */
  readonly behind: number;
  readonly lastSync: LastSyncReport;
  /** False if this daemon never looks for newer images. */
  readonly automates: boolean;
  readonly suspensions: readonly Suspension[];
  /** Undefined if it can't be determined; then `unknown` says why. */
  readonly resources?: ResourceCounts;
  /** Deletions that wait for a person; undefined if they can't be determined. */
  readonly pending?: PendingReport;
  /** Problems with images, API groups, and signatures. */
  readonly findings: readonly Finding[];
  /** What couldn't be determined, and why, as sentences without a period. */
  readonly unknown: readonly string[];
}
