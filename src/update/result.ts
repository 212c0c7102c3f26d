import type { ResourceId } from "../resource/id.ts";
import type { ContainerUpdate } from "./spec.ts";

/** How an update ended for one workload. */
export type UpdateStatus = "success" | "failed" | "skipped" | "ignored" | "unknown";

/** What an update did to one workload. */
export interface WorkloadResult {
  readonly status: UpdateStatus;
  readonly error?: string;
  readonly containers: readonly ContainerUpdate[] | null;
}

/** What an update did, by workload. */
export type UpdateResult = ReadonlyMap<ResourceId, WorkloadResult>;

/** The workloads that an update changed. */
export function affectedWorkloads(result: UpdateResult): readonly ResourceId[] {
  return [...result].filter(([, workload]) => workload.status === "success").map(([id]) => id);
}

/** What went wrong, in one line: the one workload that failed and why, or the names of several; "" for none. */
export function resultError(result: UpdateResult): string {
  const failed = [...result].filter(([, workload]) => workload.status === "failed");
  const [first] = failed;
  if (!first) {
    return "";
  }
  return failed.length === 1
    ? `${first[0]} failed: ${first[1].error ?? ""}`
    : `Multiple workloads failed: ${failed
        .map(([id]) => id)
        .toSorted()
        .join(", ")}`;
}
