/**
 * One release in the files of a checkout. In flows what is to be released, out flows what became of each workload;
 * the files then hold the new images, and nothing else in them is another. As Flux v1's pkg/release.
 */
import type { Clock } from "../../base/clock.ts";
import { messageOf } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { Cluster } from "../../cluster/cluster.ts";
import type { ImageRegistry } from "../../image/registry.ts";
import type { ManifestStore } from "../../manifests/store.ts";
import type { ResourceId } from "../../resource/id.ts";
import type { Resource } from "../../resource/resource.ts";
import {
  type Candidates,
  decideAll,
  plannerOf,
  repositoriesOf,
  selectDefined,
  selectRunning,
} from "../../update/calculate.ts";
import { ImageRepositories } from "../../update/images.ts";
import type { UpdatePlanner } from "../../update/planner.ts";
import { affectedWorkloads, type UpdateResult } from "../../update/result.ts";
import type { ReleaseSpec } from "../../update/spec.ts";
import { findUnplannedChange } from "../../update/verify.ts";
import { releaseError } from "../errors.ts";
import { fetchImageRepositories, fetchOneImage } from "../image-repositories.ts";
import type { DaemonMetrics, ReleaseStage } from "../metrics.ts";

type Resources = ReadonlyMap<ResourceId, Resource>;

/** What a release works with. */
export interface ReleaseDependencies {
  readonly cluster: Cluster;
  readonly images: ImageRegistry;
  readonly metrics: DaemonMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** A release cannot be made as it was asked for, seeing what would become of its workloads. */
export class ReleaseRefusedError extends Error {
  override readonly name = "ReleaseRefusedError";
  readonly result: UpdateResult;

  constructor(reason: string, result: UpdateResult) {
    super(reason);
    this.result = result;
  }
}

/**
 * Works a release out and writes it into the files of `store`, also for a dry run, so that it tells what would fail.
 * Rejects with NoSuchImageError, ReleaseRefusedError, or a FluxError where files could not be edited as planned.
 */
export async function release(
  spec: ReleaseSpec,
  store: ManifestStore,
  deps: ReleaseDependencies,
  signal: AbortSignal,
): Promise<UpdateResult> {
  const started = deps.clock.now();
  let success = false;
  try {
    const { resources } = await store.resources(signal);
    const result = await calculate(spec, resources, deps, signal);
    await write(result, resources, store, deps, signal);
    await verify(resources, result, store, deps, signal);
    success = true;
    return result;
  } finally {
    deps.metrics.observeRelease(spec, success, (deps.clock.now() - started) / 1000);
  }
}

async function calculate(
  spec: ReleaseSpec,
  resources: Resources,
  deps: ReleaseDependencies,
  signal: AbortSignal,
): Promise<UpdateResult> {
  const planner = plannerOf(spec);
  // As Flux v1: only where it may take registries to find images, these stages are worth timing.
  const during = spec.type === "image" ? timed : untimed;
  const chosen = await during("select_workloads", deps, () => choose(planner, resources, deps, signal));
  const result = await during("lookup_images", deps, async () =>
    decideAll(planner, chosen, await lookUp(planner, chosen, deps, signal)),
  );
  const reason = planner.refuse?.(result);
  if (reason !== undefined) {
    throw new ReleaseRefusedError(reason, result);
  }
  return result;
}

async function choose(
  planner: UpdatePlanner,
  resources: Resources,
  { cluster }: ReleaseDependencies,
  signal: AbortSignal,
): Promise<Candidates> {
  const selection = selectDefined(planner, resources);
  const running = await cluster.someWorkloads(selection.ids, signal);
  return selectRunning(planner, selection, resources, running);
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

async function write(
  result: UpdateResult,
  resources: Resources,
  store: ManifestStore,
  deps: ReleaseDependencies,
  signal: AbortSignal,
): Promise<void> {
  const ids = affectedWorkloads(result).toSorted();
  deps.logger.log({ type: "release", updates: ids.length });
  if (ids.length === 0) {
    deps.logger.log({ type: "release", exit: "no images to update for services given" });
    return;
  }
  await timed("write_changes", deps, async () => {
    for (const id of ids) {
      await writeOne(id, result, store, signal).catch((error: unknown) => {
        const source = resources.get(id)?.source ?? "";
        throw releaseError(
          `applying changes: updating resource ${id} in ${source}: ${messageOf(error)}`,
          error,
        );
      });
    }
  });
}

async function writeOne(
  id: ResourceId,
  result: UpdateResult,
  store: ManifestStore,
  signal: AbortSignal,
): Promise<void> {
  for (const { container, target } of result.get(id)?.containers ?? []) {
    await store.setWorkloadImage(id, container, target, signal);
  }
}

async function verify(
  before: Resources,
  result: UpdateResult,
  store: ManifestStore,
  deps: ReleaseDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { resources: after } = await store.resources(signal).catch((error: unknown) => {
    throw releaseError(`loading resources after updates: ${messageOf(error)}`, error);
  });
  const problem = await timed("verify_changes", deps, () => findUnplannedChange(before, result, after));
  if (problem !== undefined) {
    throw releaseError(`verifying changes: failed to verify changes: ${problem}`);
  }
}

async function timed<T>(
  stage: ReleaseStage,
  { metrics, clock }: ReleaseDependencies,
  act: () => Promise<T> | T,
): Promise<T> {
  const started = clock.now();
  try {
    return await act();
  } finally {
    metrics.observeReleaseStage(stage, (clock.now() - started) / 1000);
  }
}

async function untimed<T>(
  _stage: ReleaseStage,
  _deps: ReleaseDependencies,
  act: () => Promise<T> | T,
): Promise<T> {
  return act();
}
