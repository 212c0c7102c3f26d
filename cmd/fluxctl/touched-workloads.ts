import { stringifyGoJson } from "@weir/base";
import type { WorkloadStatusReport } from "../../src/api/types/api-server.ts";
import { encodeWorkloads } from "../../src/api/types/v6.ts";
import type { ResourceId } from "../../src/resource/id.ts";

/**
 * The workloads that a sync set in motion, of lists before and after it: those that are new, or look otherwise. One that
 * was in trouble before and is so still is none of them.
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
