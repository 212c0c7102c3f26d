import type { Workload } from "../cluster/workload.ts";
import type { ResourceId } from "../resource/id.ts";
import type { Resource } from "../resource/resource.ts";

/** A workload that's both in git and in the cluster, so it may be updated. */
export interface Candidate {
  /** As in its manifest. */
  readonly resource: Resource;
  /** As it runs in the cluster. */
  readonly workload: Workload;
}

/** The workloads among resources, in the order of git. */
export function definedWorkloads(resources: ReadonlyMap<ResourceId, Resource>): readonly Resource[] {
  return [...resources.values()].filter(({ containers }) => containers !== undefined);
}
