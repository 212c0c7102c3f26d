import type { PublicSshKey } from "../cluster/cluster.ts";
import type { RolloutStatus } from "../cluster/workload.ts";
import type { ImageInfo } from "../image/info.ts";
import type { ImageName } from "../image/name.ts";
import type { ResourceId } from "../resource/id.ts";
import type { PolicySet } from "../resource/policy.ts";
import type { Container } from "../resource/resource.ts";
import type { UpdateResult } from "../update/result.ts";
import type { allWorkloadsSpec, UpdateSpec } from "../update/spec.ts";

/** Why a workload can't be changed through git; "" if it can. */
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
  /** The policies in the manifest in git. */
  readonly policies: PolicySet;
}

/** Which workloads to list; set either a namespace or named workloads. */
export interface ListWorkloadsOptions {
  /** "" for all. */
  readonly namespace: string;
  readonly workloads: readonly ResourceId[];
}

/** Which images to list. */
export interface ListImagesOptions {
  /** One workload, or all workloads of a namespace; set either a namespace or a workload. */
  readonly workload: ResourceId | typeof allWorkloadsSpec;
  /** "" for all. */
  readonly namespace: string;
  /** The fields of containers to fill in (v6.Container); empty for all. */
  readonly fields: readonly string[];
}

/**
 * A container and its available images (v6.Container on the wire); fields that weren't requested are empty.
 */
export interface ContainerImagesReport {
  readonly name: string;
  /** The metadata of the running image; empty, even without a name, if it wasn't scanned. */
  readonly current: ImageInfo;
  /** The newest image that the tag filter allows. */
  readonly latestFiltered: ImageInfo;
  /** All images of the repository, in the order of the tag filter. */
  readonly available: readonly ImageInfo[];
  /** Why there are no images; other daemons may set this. */
  readonly availableError: string;
  readonly availableCount: number;
  /** How many of `available` are newer than the running image. */
  readonly newAvailableCount: number;
  /** How many of `available` the tag filter allows. */
  readonly filteredCount: number;
  /** How many of the filtered images are newer than the running image. */
  readonly newFilteredCount: number;
}

/** A workload and its available images (v6.ImageStatus on the wire). */
export interface WorkloadImagesReport {
  readonly id: ResourceId;
  readonly containers: readonly ContainerImagesReport[];
}

/** The state of the mirror of the git repository. */
export type GitStatus = "unconfigured" | "new" | "cloned" | "ready" | "unreachable";

/** The git repository as the API reports it; `url` contains no password. */
export interface GitConfigReport {
  readonly url: string;
  readonly branch: string;
  /** The git paths, separated by commas. */
  readonly path: string;
  readonly publicSshKey: PublicSshKey;
  readonly status: GitStatus;
  /** The last error of the mirror, or "". */
  readonly errors: string;
}

/** The state of a job. */
export type JobState = "queued" | "running" | "failed" | "succeeded";

/** What a job did; only fields for completed steps are set. */
export interface JobResult {
  readonly revision?: string;
  readonly spec?: UpdateSpec;
  readonly result?: UpdateResult | null;
  /** How often the change was made again because somebody else pushed first; absent for none. */
  readonly pushRetries?: number;
}

/** A job as the API reports it; `error` is "" if there was none. */
export interface JobStatusReport {
  readonly state: JobState;
  readonly error: string;
  readonly result: JobResult;
}

/** An external change that should be handled now. */
export type Change =
  | { readonly kind: "git"; readonly url: string; readonly branch: string }
  | {
      readonly kind: "image";
      readonly name: ImageName;
      /** The pushed tags, if the sender knows them; the API has no field for them. */
      readonly tags?: readonly string[];
    };

/**
 * The methods of the daemon, over both HTTP and the websocket. Each method can throw a FluxError, which is
 * sent with its help text.
 */
export interface ApiServer {
  ping(signal: AbortSignal): Promise<void>;
  version(signal: AbortSignal): string | Promise<string>;
  notifyChange(change: Change, signal: AbortSignal): Promise<void>;
  listWorkloads(options: ListWorkloadsOptions, signal: AbortSignal): Promise<readonly WorkloadStatusReport[]>;
  listImages(options: ListImagesOptions, signal: AbortSignal): Promise<readonly WorkloadImagesReport[]>;
  /** Queues the update, or plans it immediately if its kind is "plan"; resolves to the ID of the job. */
  updateManifests(spec: UpdateSpec, signal: AbortSignal): Promise<string>;
  jobStatus(id: string, signal: AbortSignal): Promise<JobStatusReport>;
  /** The commits between the sync marker and `ref`, newest first: those that aren't applied yet. */
  syncStatus(ref: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Multi-document YAML. */
  exportAll(signal: AbortSignal): Promise<string>;
  gitRepoConfig(regenerate: boolean, signal: AbortSignal): Promise<GitConfigReport>;
}
