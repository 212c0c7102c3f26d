import type { ResourceId } from "../resource/id.ts";
import type { PolicySet } from "../resource/policy.ts";
import type { Container } from "../resource/resource.ts";

/** The progress of a rollout, with counts of replicas. On the wire, the names start with a capital letter. */
export interface RolloutStatus {
  readonly desired: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly outdated: number;
  /** What blocks the rollout, or null. */
  readonly messages: readonly string[] | null;
}

/** Flux's terms for the state of a workload: unknown, error, ready, updating, started; a HelmRelease has its own. */
export type WorkloadStatus = string;

/** A workload in the cluster. */
export interface Workload {
  readonly id: ResourceId;
  readonly status: WorkloadStatus;
  readonly rollout: RolloutStatus;
  /** The error from when it was last applied. */
  readonly syncError?: string;
  /** The workload that created this one, such as a HelmRelease. */
  readonly antecedent?: ResourceId;
  readonly labels: Readonly<Record<string, string>> | null;
  /** The policies in the live object's annotations. */
  readonly policies: PolicySet;
  /** Containers, then init containers; incomplete if an image can't be parsed, see `unreadable`. */
  readonly containers: readonly Container[];
  /** The error for the image of a container that can't be parsed. */
  readonly unreadable?: string;
}
