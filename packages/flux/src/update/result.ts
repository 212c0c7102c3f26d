import { compareGoStrings } from "@weir/base";
import { printImageRef } from "../image/ref.ts";
import type { ResourceId } from "../resource/id.ts";
import type { ContainerUpdate } from "./spec.ts";

/** The outcome of an update for one workload. */
export type UpdateStatus = "success" | "failed" | "skipped" | "ignored" | "unknown";

/** What an update did to one workload. */
export interface WorkloadResult {
  readonly status: UpdateStatus;
  readonly error?: string;
  readonly containers: readonly ContainerUpdate[] | null;
}

/** What an update did, by workload. */
export type UpdateResult = ReadonlyMap<ResourceId, WorkloadResult>;

/** The result for a workload with images to set, and a remark for the caller. */
export function updated(containers: readonly ContainerUpdate[], error = ""): WorkloadResult {
  return { status: "success", ...(error === "" ? {} : { error }), containers };
}

/** The result for a requested workload that can't be updated. */
export function failed(error: string): WorkloadResult {
  return { status: "failed", error, containers: null };
}

/** The result for a requested workload that stays unchanged. */
export function skipped(error: string): WorkloadResult {
  return { status: "skipped", error, containers: null };
}

/** The result for a workload that the update doesn't concern. */
export function ignored(error: string): WorkloadResult {
  return { status: "ignored", error, containers: null };
}

/** The workloads that an update changed. */
export function affectedWorkloads(result: UpdateResult): readonly ResourceId[] {
  return [...result].filter(([, workload]) => workload.status === "success").map(([id]) => id);
}

/** The images that an update set, without duplicates and sorted. */
export function changedImages(result: UpdateResult): readonly string[] {
  const changed = [...result.values()].filter(({ status }) => status === "success");
  const targets = changed.flatMap(({ containers }) =>
    (containers ?? []).map(({ target }) => printImageRef(target)),
  );
  return [...new Set(targets)].toSorted(compareGoStrings);
}

/** The error on one line: the failed workload and its error, or the names of several; "" for none. */
export function resultError(result: UpdateResult): string {
  const failures = [...result].filter(([, workload]) => workload.status === "failed");
  const [first] = failures;
  if (!first) {
    return "";
  }
  return failures.length === 1
    ? `${first[0]} failed: ${first[1].error ?? ""}`
    : `Multiple workloads failed: ${failures
        .map(([id]) => id)
        .toSorted()
        .join(", ")}`;
}
