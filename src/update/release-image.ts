import { type ImageName, isSameRepository } from "../image/name.ts";
import { isSameImage, withTag } from "../image/ref.ts";
import { everyTag, type TagPattern } from "../image/tag-pattern.ts";
import type { ResourceId } from "../resource/id.ts";
import type { Container } from "../resource/resource.ts";
import { tagPatternOf } from "../resource/tag-filter.ts";
import type { Candidate } from "./candidate.ts";
import { notExcluded, notIgnored, notLocked, onlyIncluded, usesImage } from "./filter.ts";
import { type ImageRepositories } from "./images.ts";
import type { UpdatePlanner } from "./planner.ts";
import { failed, ignored, skipped, updated, type WorkloadResult } from "./result.ts";
import { allWorkloadsSpec, type ContainerUpdate, latestImageSpec, type ReleaseImageSpec } from "./spec.ts";

/**
 * Releases one image, or the newest of every image, to the workloads that run it. The manifest keeps its spelling of
 * the image; only the tag changes. `force` overrides tag filters where it is one image, and locks where workloads are
 * named. As Flux v1's ReleaseImageSpec.
 */
export function releaseImagePlanner(spec: ReleaseImageSpec): UpdatePlanner {
  const named = spec.workloads.filter((workload): workload is ResourceId => workload !== allWorkloadsSpec);
  const toNamed = named.length > 0 && named.length === spec.workloads.length;
  return {
    named,
    manifestFilters: [
      ...(toNamed ? [onlyIncluded(named)] : []),
      ...(spec.excludes === null ? [] : [notExcluded(spec.excludes)]),
    ],
    candidateFilters: [
      ...(spec.image === latestImageSpec ? [] : [usesImage(spec.image)]),
      ...(toNamed && spec.force ? [] : [notLocked, notIgnored]),
    ],
    images: spec.image === latestImageSpec ? { kind: "running" } : { kind: "one", ref: spec.image },
    decide: (candidate, images) => decide(spec, candidate, images),
  };
}

/** What becomes of one container: a new image, or why it keeps the one it has. */
type ContainerDecision =
  | { readonly kind: "update"; readonly update: ContainerUpdate }
  | { readonly kind: "up to date" | "not used" | "not found" };

function decide(
  spec: ReleaseImageSpec,
  { resource, workload }: Candidate,
  images: ImageRepositories,
): WorkloadResult {
  if (workload.unreadable !== undefined) {
    return failed(workload.unreadable);
  }
  const decisions = workload.containers.map((container) => {
    const filter = tagPatternOf(resource.policies, container.name);
    return decideContainer(spec, container, filter, images);
  });
  const updates = decisions.flatMap((decision) => (decision.kind === "update" ? [decision.update] : []));
  return updates.length > 0 ? updated(updates) : unchanged(decisions);
}

function decideContainer(
  spec: ReleaseImageSpec,
  { name, image }: Container,
  filter: TagPattern,
  images: ImageRepositories,
): ContainerDecision {
  const pattern = spec.force && spec.image !== latestImageSpec ? everyTag : filter;
  const newest = images.newest(image, pattern);
  switch (newest.kind) {
    case "unknown":
      return { kind: "not found" };
    case "none":
      return { kind: isAskedFor(spec, image) ? "not found" : "not used" };
    case "found":
      return isSameImage(newest.image.ref, image)
        ? { kind: "up to date" }
        : {
            kind: "update",
            update: { container: name, current: image, target: withTag(image, newest.image.ref.tag) },
          };
  }
}

/** As Flux v1: of several containers that stay as they are, the last one gives the reason. */
function unchanged(decisions: readonly ContainerDecision[]): WorkloadResult {
  switch (decisions.at(-1)?.kind) {
    case "up to date":
      return skipped("image(s) up to date");
    case "not found":
      return skipped("cannot find one or more images");
    default:
      return ignored("does not use image(s)");
  }
}

/** True where one image is released, and this is one of its repository. */
function isAskedFor({ image: asked }: ReleaseImageSpec, image: ImageName): boolean {
  return asked !== latestImageSpec && isSameRepository(asked, image);
}
