import type { Workload } from "../cluster/workload.ts";
import type { ResourceId } from "../resource/id.ts";
import type { Resource } from "../resource/resource.ts";

/** A workload that is both in git and in the cluster, and so may be updated. */
export interface Candidate {
  /** As its manifest has it. */
  readonly resource: Resource;
  /** As it lives in the cluster. */
  readonly workload: Workload;
}

/** The workloads among resources, in git's order. */
export function definedWorkloads(resources: ReadonlyMap<ResourceId, Resource>): readonly Resource[] {
  return [...resources.values()].filter(({ containers }) => containers !== undefined);
}
