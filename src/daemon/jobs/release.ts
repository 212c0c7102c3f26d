/**
 * One release in the files of a checkout. Takes the requested release, and returns the result for each workload.
 * Afterwards, the files contain the new images and no other changes. Like Flux v1's pkg/release.
 */
import { messageOf } from "@weir/base";
import {
  affectedWorkloads,
  findUnplannedChange,
  plannerOf,
  type ReleaseSpec,
  type ResourceId,
  type UpdateResult,
} from "@weir/flux";
import type { ManifestStore } from "../../manifests/store.ts";
import { releaseError } from "../errors.ts";
import type { ResourceSet } from "../ports.ts";
import { calculateRelease } from "./calculate-release.ts";
import { type ReleaseDependencies, runTimedStage } from "./release-dependencies.ts";

/**
 * Calculates a release and writes it to the files of `store`. A dry run does this too, so that it finds all errors.
 * Rejects with InvalidResourceIdError, InvalidImageRefError, NoSuchImageError, or ReleaseRefusedError, or with a
 * FluxError if files couldn't be edited as planned.
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
    // As in Flux v1, the request is checked before the files are.
    const planner = plannerOf(spec);
    const { resources } = await load(spec, store, deps, signal);
    const result = await calculateRelease({ spec, planner }, resources, deps, signal);
    await write(result, resources, store, deps, signal);
    await verify(resources, result, store, deps, signal);
    success = true;
    return result;
  } finally {
    deps.metrics.observeRelease(spec, success, (deps.clock.now() - started) / 1000);
  }
}

/** Flux v1 loads manifests while it selects workloads, so failures count in the timing of that stage. */
async function load(
  spec: ReleaseSpec,
  store: ManifestStore,
  deps: ReleaseDependencies,
  signal: AbortSignal,
): ReturnType<ManifestStore["resources"]> {
  const started = deps.clock.now();
  try {
    return await store.resources(signal);
  } catch (error) {
    if (spec.type === "image") {
      deps.metrics.observeReleaseStage("select_workloads", (deps.clock.now() - started) / 1000);
    }
    throw error;
  }
}

async function write(
  result: UpdateResult,
  resources: ResourceSet,
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
  await runTimedStage("write_changes", deps, async () => {
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
  before: ResourceSet,
  result: UpdateResult,
  store: ManifestStore,
  deps: ReleaseDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { resources: after } = await store.resources(signal).catch((error: unknown) => {
    throw releaseError(`loading resources after updates: ${messageOf(error)}`, error);
  });
  const problem = await runTimedStage("verify_changes", deps, () =>
    findUnplannedChange(before, result, after),
  );
  if (problem !== undefined) {
    throw releaseError(`verifying changes: failed to verify changes: ${problem}`);
  }
}
