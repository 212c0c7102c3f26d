import {
  type Candidates,
  confirmResult,
  decideAll,
  ImageRepositories,
  type ReleaseSpec,
  replacementsOfResult,
  repositoriesOf,
  selectDefined,
  selectRunning,
  type UpdatePlanner,
  type UpdateResult,
} from "@weir/flux";
import { askRegistries } from "../confirm-images.ts";
import { fetchImageRepositories, fetchOneImage } from "../image-repositories.ts";
import type { ResourceSet } from "../ports.ts";
import { type ReleaseDependencies, runStage, runTimedStage } from "./release-dependencies.ts";

/** A release, and how to calculate it. */
export interface PlannedRelease {
  readonly spec: ReleaseSpec;
  readonly planner: UpdatePlanner;
}

/**
 * Calculates a release: queries the cluster for the workloads in git, and the registry for their images. Rejects with
 * NoSuchImageError or ReleaseRefusedError.
 */
export async function calculateRelease(
  { spec, planner }: PlannedRelease,
  resources: ResourceSet,
  deps: ReleaseDependencies,
  signal: AbortSignal,
): Promise<UpdateResult> {
  // As in Flux v1, these stages are timed only if they may need registries to find images.
  const run = spec.type === "image" ? runTimedStage : runStage;
  const chosen = await run("select_workloads", deps, () => choose(planner, resources, deps, signal));
  const result = await run("lookup_images", deps, () => decide(planner, chosen, deps, signal));
  const reason = planner.refuse?.(result);
  if (reason !== undefined) {
    throw new ReleaseRefusedError(reason, result);
  }
  return result;
}

/** A release can't be made as requested because of its effect on the workloads. */
export class ReleaseRefusedError extends Error {
  override readonly name = "ReleaseRefusedError";
  readonly result: UpdateResult;

  constructor(reason: string, result: UpdateResult) {
    super(reason);
    this.result = result;
  }
}

async function decide(
  planner: UpdatePlanner,
  chosen: Candidates,
  deps: ReleaseDependencies,
  signal: AbortSignal,
): Promise<UpdateResult> {
  const images = await lookUp(planner, chosen, deps, signal);
  const result = decideAll(planner, chosen, images);
  if (planner.images.kind !== "running") {
    return result;
  }
  const answers = await askRegistries(replacementsOfResult(result), deps.images, signal);
  return confirmResult(result, decideAll(planner, chosen, images.correctedBy(answers)), answers);
}

async function choose(
  planner: UpdatePlanner,
  resources: ResourceSet,
  { cluster }: ReleaseDependencies,
  signal: AbortSignal,
): Promise<Candidates> {
  const selection = selectDefined(planner, resources);
  const running = await cluster.someWorkloads(selection.ids, signal);
  return selectRunning(planner, selection, { resources, running });
}

async function lookUp(
  { images }: UpdatePlanner,
  { candidates }: Candidates,
  deps: ReleaseDependencies,
  signal: AbortSignal,
): Promise<ImageRepositories> {
  switch (images.kind) {
    case "none":
      return new ImageRepositories([]);
    case "one":
      return fetchOneImage(images.ref, deps.images, signal);
    case "running":
      return fetchImageRepositories(repositoriesOf(candidates), deps.images, deps.logger, signal);
  }
}
