/**
 * Works out an update, in three steps between which the caller looks things up: which workloads of git to ask the
 * cluster about, which of those that run are candidates, and what becomes of each candidate. Out of it comes the
 * result with a reason for each workload that is left out; what is to be written are the containers of the workloads
 * whose status is "success". After Flux's pkg/update and pkg/release.
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

/** The planner for a release. Throws InvalidResourceIdError or InvalidImageRefError where an image is released. */
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

/** Which workloads of git an update may be about, and what is certain of the others. */
export interface Selection {
  /** To be asked for in the cluster. */
  readonly ids: readonly ResourceId[];
  /** Of those to be asked for it says that they are not there, until they are found. */
  readonly result: UpdateResult;
}

/** Chooses among the workloads that git has. */
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

/** The workloads to be decided about, and the result for the others. */
export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly result: UpdateResult;
}

/** What git and the cluster hold. */
export interface KnownWorkloads {
  readonly resources: ReadonlyMap<ResourceId, Resource>;
  readonly running: readonly Workload[];
}

/** Chooses among those that run of the selected workloads. */
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

/** The repositories of the images that candidates run. */
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
