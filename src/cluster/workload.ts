import type { ResourceId } from "../resource/id.ts";
import type { PolicySet } from "../resource/policy.ts";
import type { Container } from "../resource/resource.ts";

/** How far a rollout has come; counts of replicas. Wire names are these with a capital letter. */
export interface RolloutStatus {
  readonly desired: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly outdated: number;
  /** What stands in the way, or null. */
  readonly messages: readonly string[] | null;
}

/** Flux's words for the state of a workload: unknown, error, ready, updating, started; a HelmRelease has its own. */
export type WorkloadStatus = string;

/** A workload as it lives in the cluster. */
export interface Workload {
  readonly id: ResourceId;
  readonly status: WorkloadStatus;
  readonly rollout: RolloutStatus;
  /** What went wrong when it was last applied. */
  readonly syncError?: string;
  /** The workload that made this one, e.g. a HelmRelease. */
  readonly antecedent?: ResourceId;
  readonly labels: Readonly<Record<string, string>> | null;
  /** Policies read from the live object's annotations. */
  readonly policies: PolicySet;
  /** Containers, then init containers; of those with an image that cannot be read only some, see `unreadable`. */
  readonly containers: readonly Container[];
  /** What is wrong with the image of a container, where one cannot be read. */
  readonly unreadable?: string;
}
