import type { PublicSshKey } from "../../cluster/cluster.ts";
import type { RolloutStatus } from "../../cluster/workload.ts";
import type { ImageInfo } from "../../image/info.ts";
import type { ImageName } from "../../image/name.ts";
import type { ResourceId } from "../../resource/id.ts";
import type { PolicySet } from "../../resource/policy.ts";
import type { Container } from "../../resource/resource.ts";
import type { UpdateResult } from "../../update/result.ts";
import type { allWorkloadsSpec, UpdateSpec } from "../../update/spec.ts";

/** Why a workload cannot be changed through git; "" where it can. */
export type ReadOnlyReason = "" | "NotInRepo" | "System" | "NoRepo" | "NotReady" | "ReadOnlyMode";

/** A workload as the API lists it (v6.ControllerStatus on the wire). */
export interface WorkloadStatusReport {
  readonly id: ResourceId;
  readonly containers: readonly Container[];
  readonly readOnly: ReadOnlyReason;
  readonly status: string;
  readonly rollout: RolloutStatus;
  readonly syncError: string;
  readonly antecedent: ResourceId | "";
  readonly labels: Readonly<Record<string, string>> | null;
  /** Policies of the manifest in git. */
  readonly policies: PolicySet;
}

/** Which workloads to list; a namespace and named workloads exclude each other. */
export interface ListWorkloadsOptions {
  /** "" for all. */
  readonly namespace: string;
  readonly workloads: readonly ResourceId[];
}

/** Which images to list. */
export interface ListImagesOptions {
  /** One workload, or all of a namespace; a namespace and a workload exclude each other. */
  readonly workload: ResourceId | typeof allWorkloadsSpec;
  /** "" for all. */
  readonly namespace: string;
  /** Names of the fields of containers to fill in (v6.Container); empty for all. */
  readonly fields: readonly string[];
}

/** A container and the images that there are for it (v6.Container on the wire); what was not asked for is empty. */
export interface ContainerImagesReport {
  readonly name: string;
  /** What is known of the image that runs; nothing, not even its name, where it was not scanned. */
  readonly current: ImageInfo;
  /** The newest image that the tag filter allows. */
  readonly latestFiltered: ImageInfo;
  /** All images of the repository, as the tag filter sorts them. */
  readonly available: readonly ImageInfo[];
  /** Why there are none; other daemons may say so. */
  readonly availableError: string;
  readonly availableCount: number;
  /** How many of those are newer than what runs. */
  readonly newAvailableCount: number;
  /** How many of them the tag filter allows. */
  readonly filteredCount: number;
  /** How many of the latter are newer than what runs. */
  readonly newFilteredCount: number;
}

/** A workload and the images that there are for it (v6.ImageStatus on the wire). */
export interface WorkloadImagesReport {
  readonly id: ResourceId;
  readonly containers: readonly ContainerImagesReport[];
}

/** The state of the mirror of the git repository. */
export type GitStatus = "unconfigured" | "new" | "cloned" | "ready" | "unreachable";

/** The git repository as the API tells of it; `url` holds no password. */
export interface GitConfigReport {
  readonly url: string;
  readonly branch: string;
  /** The git paths, joined by commas. */
  readonly path: string;
  readonly publicSshKey: PublicSshKey;
  readonly status: GitStatus;
  /** What the mirror last failed with, or "". */
  readonly errors: string;
}

/** How far a job has come. */
export type JobState = "queued" | "running" | "failed" | "succeeded";

/** What a job did; fields are there as far as it got. */
export interface JobResult {
  readonly revision?: string;
  readonly spec?: UpdateSpec;
  readonly result?: UpdateResult | null;
}

/** A job as the API tells of it; `error` is "" where there was none. */
export interface JobStatusReport {
  readonly state: JobState;
  readonly error: string;
  readonly result: JobResult;
}

/** Something outside that changed and should be looked at now. */
export type Change =
  | { readonly kind: "git"; readonly url: string; readonly branch: string }
  | {
      readonly kind: "image";
      readonly name: ImageName;
      /** The tags that were pushed, where who tells knows them; the API has no place for them. */
      readonly tags?: readonly string[];
    };

/**
 * What the daemon can be asked, over HTTP and over the websocket alike. Each method may throw a FluxError,
 * which crosses the wire with its help text.
 */
export interface ApiServer {
  ping(signal: AbortSignal): Promise<void>;
  version(): string;
  notifyChange(change: Change, signal: AbortSignal): Promise<void>;
  listWorkloads(options: ListWorkloadsOptions, signal: AbortSignal): Promise<readonly WorkloadStatusReport[]>;
  listImages(options: ListImagesOptions, signal: AbortSignal): Promise<readonly WorkloadImagesReport[]>;
  /** Queues the update, or plans it at once where its kind is "plan"; resolves to the ID of the job. */
  updateManifests(spec: UpdateSpec, signal: AbortSignal): Promise<string>;
  jobStatus(id: string, signal: AbortSignal): Promise<JobStatusReport>;
  /** Commits between the sync marker and `ref`, newest first: those not yet applied. */
  syncStatus(ref: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Multi-document YAML. */
  exportAll(signal: AbortSignal): Promise<string>;
  gitRepoConfig(regenerate: boolean, signal: AbortSignal): Promise<GitConfigReport>;
}
