/**
 * Reasons to leave a workload out of an update, one per filter. A filter returns the result for a workload that it
 * leaves out, and undefined for one that it accepts. Based on Flux's pkg/update/filter.go.
 */
import { type ImageName, isSameRepository } from "../image/name.ts";
import type { ResourceId } from "../resource/id.ts";
import { hasPolicy } from "../resource/policy.ts";
import type { Resource } from "../resource/resource.ts";
import type { Candidate } from "./candidate.ts";
import { ignored, skipped, type WorkloadResult } from "./result.ts";

/** Checks a workload by its manifest, before the cluster is queried. */
export type ManifestFilter = (resource: Resource) => WorkloadResult | undefined;

/** Checks a workload by its manifest and its running state. */
export type CandidateFilter = (candidate: Candidate) => WorkloadResult | undefined;

/** Accepts only the named workloads. */
export function onlyIncluded(ids: Iterable<ResourceId>): ManifestFilter {
  const included = new Set(ids);
  return ({ id }) => (included.has(id) ? undefined : ignored("not included"));
}

/** Leaves out the named workloads. */
export function notExcluded(ids: Iterable<string>): ManifestFilter {
  const excluded = new Set<string>(ids);
  return ({ id }) => (excluded.has(id) ? ignored("excluded") : undefined);
}

/** Leaves out workloads that run no image of the repository, however its name is spelled. */
export function usesImage(name: ImageName): CandidateFilter {
  return ({ workload }) => {
    const { containers } = workload;
    if (containers.length === 0) {
      return ignored("not accessible in cluster");
    }
    return containers.some(({ image }) => isSameRepository(image, name))
      ? undefined
      : ignored("a different image");
  };
}

/** Leaves out workloads that are locked in git. */
export function notLocked({ resource }: Candidate): WorkloadResult | undefined {
  return hasPolicy(resource.policies, "locked") ? skipped("locked") : undefined;
}

/** Leaves out workloads to ignore. As in Flux v1, this checks the live workload and not git. */
export function notIgnored({ workload }: Candidate): WorkloadResult | undefined {
  return hasPolicy(workload.policies, "ignore") ? skipped("ignore") : undefined;
}

/** The result of the first filter that doesn't accept a workload; undefined if all do. */
export function firstObjection<T>(
  item: T,
  filters: readonly ((item: T) => WorkloadResult | undefined)[],
): WorkloadResult | undefined {
  for (const filter of filters) {
    const objection = filter(item);
    if (objection !== undefined) {
      return objection;
    }
  }
  return undefined;
}
