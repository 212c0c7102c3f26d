import { stringifyGoJson } from "@weir/base";
import type { ResourceId } from "@weir/flux";
import { encodeWorkloads, type WorkloadStatusReport } from "@weir/flux/api";

/**
 * The workloads that a sync changed, from the lists before and after it: those that are new or different. A
 * workload that already had a problem and still has it isn't included.
 */
export function touchedWorkloads(
  before: readonly WorkloadStatusReport[],
  after: readonly WorkloadStatusReport[],
): readonly ResourceId[] {
  const known = new Map(before.map((workload) => [workload.id, printed(workload)] as const));
  return after.filter((workload) => known.get(workload.id) !== printed(workload)).map(({ id }) => id);
}

function printed(workload: WorkloadStatusReport): string {
  return stringifyGoJson(encodeWorkloads([workload]));
}
