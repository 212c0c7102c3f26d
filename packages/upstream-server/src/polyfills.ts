import { tagPatternOf } from "@weir/flux";
import {
  parseContainerFields,
  reportContainer,
  type WorkloadImagesReport,
  type WorkloadStatusReport,
} from "@weir/flux/api";

/**
 * Old daemons describe a rollout in text ("1 out of 3 updated"), and newer ones in numbers: here, that many
 * pods count as updated, ready, and available. As Flux v1.
 */
export function withRollout(workload: WorkloadStatusReport): WorkloadStatusReport {
  const [, updated, desired] = /^\s*([+-]?\d+) out of ([+-]?\d+) updated/.exec(workload.status) ?? [];
  if (updated === undefined || desired === undefined) {
    return workload;
  }
  const count = Number(updated);
  return {
    ...workload,
    status: "updating",
    rollout: {
      ...workload.rollout,
      desired: Number(desired),
      updated: count,
      ready: count,
      available: count,
    },
  };
}

/**
 * Daemons before version 10 return all fields of containers and count without tag filters: here, the counts
 * are computed again with the policies of the workloads. `available` must be sorted. As Flux v1. Throws
 * UnknownFieldError.
 */
export function withFields(
  images: readonly WorkloadImagesReport[],
  workloads: readonly WorkloadStatusReport[],
  fields: readonly string[],
): readonly WorkloadImagesReport[] {
  const wanted = parseContainerFields(fields);
  const policies = new Map(workloads.map((workload) => [workload.id, workload.policies]));
  return images.map(({ id, containers }) => ({
    id,
    containers: containers.map((container) =>
      reportContainer(container, tagPatternOf(policies.get(id) ?? {}, container.name), wanted),
    ),
  }));
}
