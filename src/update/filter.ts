/**
 * Reasons to leave a workload out of an update, each by itself: a filter answers with the result of a workload that
 * it leaves out, and with nothing for one that it lets through. After Flux's pkg/update/filter.go.
 */
import { type ImageName, isSameRepository } from "../image/name.ts";
import type { ResourceId } from "../resource/id.ts";
import { hasPolicy } from "../resource/policy.ts";
import type { Resource } from "../resource/resource.ts";
import type { Candidate } from "./candidate.ts";
import { ignored, skipped, type WorkloadResult } from "./result.ts";

/** Judges a workload by its manifest, before the cluster is asked for it. */
export type ManifestFilter = (resource: Resource) => WorkloadResult | undefined;

/** Judges a workload by its manifest and by what runs. */
export type CandidateFilter = (candidate: Candidate) => WorkloadResult | undefined;

/** Lets the named workloads through and no others. */
export function onlyIncluded(ids: Iterable<ResourceId>): ManifestFilter {
  const included = new Set(ids);
  return ({ id }) => (included.has(id) ? undefined : ignored("not included"));
}

/** Leaves the named workloads out. */
export function notExcluded(ids: Iterable<string>): ManifestFilter {
  const excluded = new Set<string>(ids);
  return ({ id }) => (excluded.has(id) ? ignored("excluded") : undefined);
}

/** Leaves out what runs no image of the repository, however that is spelled. */
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

/** Leaves out what git says is locked. */
export function notLocked({ resource }: Candidate): WorkloadResult | undefined {
  return hasPolicy(resource.policies, "locked") ? skipped("locked") : undefined;
}

/** Leaves out what is to be ignored. As Flux v1, which asks the live workload and not git. */
export function notIgnored({ workload }: Candidate): WorkloadResult | undefined {
  return hasPolicy(workload.policies, "ignore") ? skipped("ignore") : undefined;
}

/** What the first filter says that does not let a workload through; undefined where all do. */
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
