import type { Finding, JsonValue } from "@weir/base";
import type { Condition } from "../cluster/condition.ts";
import type { PendingDeletions } from "../cluster/pending-deletions.ts";
import type { ResourcePreview } from "../cluster/preview.ts";
import type { ResourceError } from "../cluster/sync-set.ts";
import type { ResourceStatus } from "../cluster/tree.ts";
import type { FluxEvent } from "../event/event.ts";
import type { ResourceId } from "../resource/id.ts";
import type { GitConfigReport } from "./api-server.ts";
import type { HistoryPage, HistoryQuery } from "./history.ts";
import type { JobRequest } from "./job-request.ts";
import type { ResumeRequest, SuspendRequest, Suspension, SuspensionReport } from "./suspension.ts";
import type { UndoAnswer, UndoRequest } from "./undo.ts";
import type { WhyQuery, WhyReport } from "./why.ts";

/** Something that the daemon did or failed to do, as stored in its event log. */
export interface LoggedEvent {
  /** Increases with each event, even across restarts of the daemon. */
  readonly id: number;
  /** A Flux v1 event type, or "failure". */
  readonly type: string;
  readonly workloads: readonly ResourceId[];
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly logLevel: FluxEvent["logLevel"];
  /** A single line. */
  readonly message: string;
  /** The payload, as sent to upstreams; null for failures. */
  readonly metadata: JsonValue;
}

/** Which events to return. */
export interface EventsQuery {
  /** Only events after this one; 0 for all stored events. */
  readonly after: number;
  /** If there are none: how long to wait for one, in milliseconds. */
  readonly waitMs: number;
}

/** What to compare with the cluster. */
export interface DiffQuery {
  /** A commit, branch, or tag; "" for the head of the synced branch. */
  readonly ref: string;
}

/** The changes that a sync would make. */
export interface DiffReport {
  readonly revision: string;
  /** In the order of a sync; resources without a change are omitted. */
  readonly changes: readonly ResourcePreview[];
}

/** How the last sync ended, and what the current one does. */
export interface LastSyncReport {
  /** What the last finished sync synced to; "" if none has finished since fluxd started. */
  readonly revision: string;
  readonly endedAt: Date | undefined;
  /** Why it didn't complete; "" if it did, perhaps with errors of resources. */
  readonly failure: string;
  /** The resources that couldn't be applied or deleted. */
  readonly errors: readonly ResourceError[];
  /** True while a sync is busy. */
  readonly isRunning: boolean;
  /** What a sync waits for before it continues. */
  readonly waitingFor: readonly ResourceId[];
}

/** Which repositories of images to ask about. */
export interface ImageScansQuery {
  /** Image names as in manifests, with or without a tag. */
  readonly images: readonly string[];
}

/** What is known of a repository of images. */
export interface ImageScan {
  /** As it was asked for. */
  readonly image: string;
  /**
   * "waiting" before the first scan; "stale" if there are images, but the last scan failed; "off" if nothing is scanned.
   */
  readonly state: "scanned" | "waiting" | "stale" | "failed" | "off";
  /** The error of the last scan, or "". */
  readonly error: string;
}

/** What determines which objects a sync applies and deletes; contains no secrets. */
export interface SyncSettings {
  /** The name of the set of resources in the garbage-collection mark. */
  readonly syncSetName: string;
  /** Relative to the root of the repository; the whole repository if empty. */
  readonly paths: readonly string[];
  /** For manifests that name none. */
  readonly defaultNamespace: string;
  /** Empty for all. */
  readonly allowedNamespaces: readonly string[];
  /** Globs over group/version/kind. */
  readonly excludedKinds: readonly string[];
  readonly prune: "on" | "off" | "dry-run";
  /** How many objects a sync may delete, as a number or with a percent sign. */
  readonly pruneLimit: string;
  /** True: objects that other tools manage are applied too. */
  readonly takeOver: boolean;
  /** True: files that can't be loaded are left out, and the others are applied. */
  readonly quarantine: boolean;
  /** True: commands in .flux.yaml files print manifests. */
  readonly manifestGeneration: boolean;
  /** True: files can be encrypted, with sops or git-secret. */
  readonly decrypts: boolean;
}

/** Which part of the tree to return. */
export interface TreeQuery {
  /** "" for all. */
  readonly namespace: string;
}

/** A question whether the tree may have changed. */
export interface TreeChangeQuery {
  /** The version of a tree that the daemon returned. */
  readonly after: string;
  /** If it hasn't: how long to wait until it does, in milliseconds. */
  readonly waitMs: number;
}

/** The status of all resources in git. */
export interface TreeReport {
  readonly revision: string;
  /** Changes whenever the tree may have changed; older daemons don't send it. */
  readonly version?: string;
  /** Sorted by ID. */
  readonly resources: readonly ResourceStatus[];
}

/** What the next sync won't delete until somebody confirms it. */
export interface PendingReport extends PendingDeletions {
  readonly revision: string;
}

/** A person's confirmation of deletions: either of resources, or of all that a sync to a revision holds back. */
export interface Confirmation {
  /** For the log; "" if not known. */
  readonly user: string;
  readonly resources: readonly ResourceId[];
  /** A full or abbreviated hash, of at least 7 characters; "" to confirm resources. */
  readonly pruneRevision: string;
}

/** What was confirmed. */
export interface ConfirmationReport {
  /** The revision that the resources aren't in. */
  readonly revision: string;
  readonly resources: readonly ResourceId[];
  /** Why a restart of fluxd makes it forget this; "" if it doesn't. */
  readonly forgotten: string;
}

/** The first commit without a good signature. */
export interface UnverifiedCommit {
  readonly revision: string;
  /** "Name <email>". */
  readonly author: string;
  /** git's %G?: N for no signature, B for a bad one, E for one that can't be checked, and so on. */
  readonly status: string;
  /** The ID of the key; "" if the signature names none. */
  readonly key: string;
  /** The user ID of the key; "" if the key isn't known. */
  readonly signer: string;
  /** A phrase for people. */
  readonly reason: string;
}

/** Up to where the branch is verified, as of the last fetch. */
export interface VerificationReport {
  /** Which commits must be signed: "none", "all", or "first-parent". */
  readonly mode: string;
  readonly head: string;
  /** The last verified commit; "" if there's none, or if commits needn't be signed. */
  readonly verified: string;
  /** Undefined if all commits are verified. */
  readonly bad?: UnverifiedCommit;
  /** Why nothing can be verified, such as a sync tag without a good signature; "" if there's no such problem. */
  readonly error: string;
}

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

/**
 * Methods that go beyond Flux v1's API, to show people what the daemon does, and to let them decide about deletions. Each method can throw a
 * FluxError.
 */
export interface Inspection {
  /** Oldest first; only recent events are stored. */
  events(query: EventsQuery, signal: AbortSignal): Promise<readonly LoggedEvent[]>;
  /** The changes that a sync would make; makes no changes. */
  diff(query: DiffQuery, signal: AbortSignal): Promise<DiffReport>;
  /** What determines which objects a sync applies and deletes. */
  syncSettings(signal: AbortSignal): Promise<SyncSettings>;
  /** The status of all resources, and the objects that they own. */
  tree(query: TreeQuery, signal: AbortSignal): Promise<TreeReport>;
  /** True as soon as the tree may differ from a version of it; false if it's still the same after the wait. */
  treeChanged(query: TreeChangeQuery, signal: AbortSignal): Promise<boolean>;
  /** The deletions that wait for a confirmation. */
  pendingDeletions(signal: AbortSignal): Promise<PendingReport>;
  /** Confirms deletions, and requests a sync; confirms nothing if any of them doesn't wait for it. */
  confirmDeletions(confirmation: Confirmation, signal: AbortSignal): Promise<ConfirmationReport>;
  /** What happened, newest first: commits, and syncs that changed something. */
  history(query: HistoryQuery, signal: AbortSignal): Promise<HistoryPage>;
  /** Queues a job under an ID that the caller chooses, unless it's there already; resolves to the ID. */
  requestJob(request: JobRequest, signal: AbortSignal): Promise<string>;
  /** Queues a job that undoes a commit, or says what it would do. */
  undo(request: UndoRequest, signal: AbortSignal): Promise<UndoAnswer>;
  /** Up to where the branch is verified. */
  verification(signal: AbortSignal): Promise<VerificationReport>;
  /** How the last sync ended. */
  lastSync(signal: AbortSignal): Promise<LastSyncReport>;
  /** The results of scanning repositories of images; sends no requests to registries. */
  imageScans(query: ImageScansQuery, signal: AbortSignal): Promise<readonly ImageScan[]>;
  /** Like exportAll, but without --k8s-allow-namespace all namespaces. */
  exportEverything(signal: AbortSignal): Promise<string>;
  /** Why a resource, an image, or a commit is as it is, what holds it up, and what to do. */
  why(query: WhyQuery, signal: AbortSignal): Promise<WhyReport>;
  /** Whether the cluster is as in git, and if not, why. */
  status(query: StatusQuery, signal: AbortSignal): Promise<StatusReport>;
  /** What is suspended now. */
  suspensions(signal: AbortSignal): Promise<readonly Suspension[]>;
  /**
   * Suspends syncing, automated image updates, or both. Stops a sync that is running. Rejects if the next
   * daemon in the pod wouldn't know.
   */
  suspend(request: SuspendRequest, signal: AbortSignal): Promise<SuspensionReport>;
  /** Resumes what's suspended. */
  resume(request: ResumeRequest, signal: AbortSignal): Promise<SuspensionReport>;
  /** Checks everything that a daemon needs, and its permissions; performs the checks now if possible. */
  check(signal: AbortSignal): Promise<readonly Finding[]>;
}
