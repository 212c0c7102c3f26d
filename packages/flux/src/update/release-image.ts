import { isSameRepository } from "../image/name.ts";
import { type ImageRef, isSameImage, parseImageRef, withTag } from "../image/ref.ts";
import { everyTag, type TagPattern } from "../image/tag-pattern.ts";
import { parseResourceId, type ResourceId, readResourceId } from "../resource/id.ts";
import type { Container } from "../resource/resource.ts";
import { tagPatternOf } from "../resource/tag-filter.ts";
import type { Candidate } from "./candidate.ts";
import { notExcluded, notIgnored, notLocked, onlyIncluded, usesImage } from "./filter.ts";
import { type ImageRepositories } from "./images.ts";
import type { UpdatePlanner } from "./planner.ts";
import { failed, ignored, skipped, updated, type WorkloadResult } from "./result.ts";
import { allWorkloadsSpec, type ContainerUpdate, latestImageSpec, type ReleaseImageSpec } from "./spec.ts";

/**
 * Releases one image, or the newest version of every image, to the workloads that run it. The manifest keeps its
 * spelling of the image; only the tag changes. `force` overrides tag filters if one image is released, and locks if
 * workloads are named. Like Flux v1's ReleaseImageSpec. Throws InvalidResourceIdError or InvalidImageRefError.
 */
export function releaseImagePlanner(spec: ReleaseImageSpec): UpdatePlanner {
  const { included, named } = selectionOf(spec.workloads ?? []);
  const asked = spec.image === latestImageSpec ? undefined : parseImageRef(spec.image);
  const release = { asked, force: spec.force };
  return {
    named,
    manifestFilters: [
      ...(included.length > 0 ? [onlyIncluded(included)] : []),
      ...(spec.excludes === null ? [] : [notExcluded(spec.excludes)]),
    ],
    candidateFilters: [
      ...(asked === undefined ? [] : [usesImage(asked)]),
      ...(included.length > 0 && spec.force ? [] : [notLocked, notIgnored]),
    ],
    images: asked === undefined ? { kind: "running" } : { kind: "one", ref: asked },
    decide: (candidate, images) => decide(release, candidate, images),
  };
}

/** The parts of the request that concern a single workload. */
interface ImageRelease {
  /** undefined for the newest version of every image. */
  readonly asked: ImageRef | undefined;
  readonly force: boolean;
}

/** As in Flux v1, anything after "<all>" includes nothing, and counts as named only if it can be parsed. */
function selectionOf(workloads: readonly string[]): Readonly<Record<"included" | "named", ResourceId[]>> {
  const all = workloads.indexOf(allWorkloadsSpec);
  if (all < 0) {
    const included = workloads.map(parseResourceId);
    return { included, named: included };
  }
  const before = workloads.slice(0, all).map(parseResourceId);
  return {
    included: [],
    named: [...before, ...workloads.slice(all + 1).flatMap((text) => readResourceId(text) ?? [])],
  };
}

/** The decision for one container: a new image, or the reason to keep the current one. */
type ContainerDecision =
  | { readonly kind: "update"; readonly update: ContainerUpdate }
  | { readonly kind: "up to date" | "not used" | "not found" };

function decide(
  release: ImageRelease,
  { resource, workload }: Candidate,
  images: ImageRepositories,
): WorkloadResult {
  if (workload.unreadable !== undefined) {
    return failed(workload.unreadable);
  }
  const decisions = workload.containers.map((container) => {
    const filter = tagPatternOf(resource.policies, container.name);
    return decideContainer(release, container, filter, images);
  });
  const updates = decisions.flatMap((decision) => (decision.kind === "update" ? [decision.update] : []));
  return updates.length > 0 ? updated(updates) : unchanged(decisions);
}

function decideContainer(
  { asked, force }: ImageRelease,
  { name, image }: Container,
  filter: TagPattern,
  images: ImageRepositories,
): ContainerDecision {
  const pattern = force && asked !== undefined ? everyTag : filter;
  const newest = images.newest(image, pattern);
  switch (newest.kind) {
    case "unknown":
      return { kind: "not found" };
    case "none":
      return { kind: asked !== undefined && isSameRepository(asked, image) ? "not found" : "not used" };
    case "found":
      return isSameImage(newest.image.ref, image)
        ? { kind: "up to date" }
        : {
            kind: "update",
            update: { container: name, current: image, target: withTag(image, newest.image.ref.tag) },
          };
  }
}

/** As in Flux v1, the reason is that of the last unchanged container. */
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
