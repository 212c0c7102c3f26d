/**
 * Calculates an update in three steps, between which the caller looks things up: which workloads in git to query in the
 * cluster, which of the running ones are candidates, and the result for each candidate. The final result has a reason
 * for each workload that's left out; the containers to write are those of the workloads whose status is "success".
 * Based on Flux's pkg/update and pkg/release.
 */
import type { Workload } from "../cluster/workload.ts";
import type { ImageName } from "../image/name.ts";
import type { ResourceId } from "../resource/id.ts";
import type { Resource } from "../resource/resource.ts";
import { automatedPlanner } from "./automated.ts";
import { type Candidate, definedWorkloads } from "./candidate.ts";
import { firstObjection } from "./filter.ts";
import { distinctRepositories, type ImageRepositories } from "./images.ts";
import type { UpdatePlanner } from "./planner.ts";
import { releaseContainersPlanner } from "./release-containers.ts";
import { releaseImagePlanner } from "./release-image.ts";
import { skipped, type UpdateResult, type WorkloadResult } from "./result.ts";
import type { ReleaseSpec } from "./spec.ts";

/** The planner for a release. Throws InvalidResourceIdError, or InvalidImageRefError for the image to release. */
export function plannerOf(spec: ReleaseSpec): UpdatePlanner {
  switch (spec.type) {
    case "image":
      return releaseImagePlanner(spec.spec);
    case "containers":
      return releaseContainersPlanner(spec.spec);
    case "auto":
      return automatedPlanner(spec.spec);
  }
}

/** The workloads in git that an update may affect, and the known results for the others. */
export interface Selection {
  /** The workloads to query in the cluster. */
  readonly ids: readonly ResourceId[];
  /** Until they're found, the result for those to query is that they don't exist. */
  readonly result: UpdateResult;
}

/** Selects among the workloads in git. */
export function selectDefined(
  { named, manifestFilters }: UpdatePlanner,
  resources: ReadonlyMap<ResourceId, Resource>,
): Selection {
  const result = new Map<ResourceId, WorkloadResult>();
  const ids: ResourceId[] = [];
  for (const resource of definedWorkloads(resources)) {
    const objection = firstObjection(resource, manifestFilters);
    result.set(resource.id, objection ?? skipped("not accessible in cluster"));
    if (objection === undefined) {
      ids.push(resource.id);
    }
  }
  for (const id of named.filter((each) => !result.has(each))) {
    result.set(id, skipped("not found in repository"));
  }
  return { ids, result };
}

/** The workloads to decide about, and the results for the others. */
export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly result: UpdateResult;
}

/** The workloads in git and in the cluster. */
export interface KnownWorkloads {
  readonly resources: ReadonlyMap<ResourceId, Resource>;
  readonly running: readonly Workload[];
}

/** Selects among the running workloads. */
export function selectRunning(
  { candidateFilters }: UpdatePlanner,
  selection: Selection,
  { resources, running }: KnownWorkloads,
): Candidates {
  const result = new Map(selection.result);
  const candidates: Candidate[] = [];
  for (const workload of running) {
    const resource = resources.get(workload.id);
    const candidate = resource && { resource, workload };
    const objection = candidate && firstObjection(candidate, candidateFilters);
    if (objection !== undefined) {
      result.set(workload.id, objection);
    } else if (candidate !== undefined) {
      candidates.push(candidate);
    }
  }
  return { candidates, result };
}

/** The repositories of the candidates' images. */
export function repositoriesOf(candidates: readonly Candidate[]): readonly ImageName[] {
  return distinctRepositories(
    candidates.flatMap(({ workload }) => workload.containers.map(({ image }) => image)),
  );
}

/** Decides about the candidates. */
export function decideAll(
  planner: UpdatePlanner,
  { candidates, result }: Candidates,
  images: ImageRepositories,
): UpdateResult {
  const decided = candidates.map(
    (candidate) => [candidate.resource.id, planner.decide(candidate, images)] as const,
  );
  return new Map([...result, ...decided]);
}
