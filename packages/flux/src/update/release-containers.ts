import { isSameImage } from "../image/ref.ts";
import type { Candidate } from "./candidate.ts";
import { notIgnored, notLocked, onlyIncluded } from "./filter.ts";
import type { UpdatePlanner } from "./planner.ts";
import { failed, skipped, type UpdateResult, updated, type WorkloadResult } from "./result.ts";
import type { ContainerUpdate, ReleaseContainersSpec } from "./spec.ts";

/**
 * Sets the given images in the given containers, if these run the images that the caller expects. If one workload can't
 * be updated as requested, nothing is done. With `skipMismatches`, only containers that run another image are skipped;
 * `force` overrides locks. Like Flux v1's ReleaseContainersSpec, except that git can catch up with the cluster.
 */
export function releaseContainersPlanner(spec: ReleaseContainersSpec): UpdatePlanner {
  return {
    named: [],
    manifestFilters: [onlyIncluded(spec.containers?.keys() ?? [])],
    candidateFilters: spec.force ? [] : [notLocked, notIgnored],
    images: { kind: "none" },
    decide: (candidate) => decide(spec, candidate),
    refuse,
  };
}

function decide({ containers, skipMismatches }: ReleaseContainersSpec, candidate: Candidate): WorkloadResult {
  const { workload, resource } = candidate;
  if (workload.unreadable !== undefined) {
    return failed(workload.unreadable);
  }
  const images = new Map(workload.containers.map(({ name, image }) => [name, image]));
  const asked = containers?.get(resource.id) ?? [];
  const missing = asked.filter(({ container }) => !images.has(container));
  if (missing.length > 0) {
    return failed(`container(s) not found: ${namesOf(missing)}`);
  }
  const inGit = new Map(resource.containers?.map(({ name, image }) => [name, image]));
  const catchesUp = (update: ContainerUpdate): boolean => isBehind(update, inGit, images);
  const mismatches = asked.filter((update) => !runsCurrent(update, images) && !catchesUp(update));
  const mismatch = mismatches.length === 0 ? "" : `container(s) tag mismatch: ${namesOf(mismatches)}`;
  if (mismatch !== "" && !skipMismatches) {
    return failed(mismatch);
  }
  const updates = asked.filter(
    (update) => catchesUp(update) || (runsCurrent(update, images) && !runsTarget(update, images)),
  );
  return updates.length > 0 ? updated(updates, mismatch) : skipped(mismatch || "image(s) up to date");
}

type Images = ReadonlyMap<string, ContainerUpdate["target"]>;

/** True also if the caller doesn't say which image it expects. */
function runsCurrent({ container, current }: ContainerUpdate, images: Images): boolean {
  const image = images.get(container);
  return current === undefined || (image !== undefined && isSameImage(image, current));
}

/** True if the image that the caller expects is the one in git, and the cluster runs the new one already. */
function isBehind({ container, current, target }: ContainerUpdate, inGit: Images, images: Images): boolean {
  const image = inGit.get(container);
  return (
    current !== undefined &&
    image !== undefined &&
    isSameImage(image, current) &&
    !isSameImage(current, target) &&
    runsTarget({ container, current, target }, images)
  );
}

function runsTarget({ container, target }: ContainerUpdate, images: Images): boolean {
  const image = images.get(container);
  return image !== undefined && isSameImage(image, target);
}

function namesOf(updates: readonly ContainerUpdate[]): string {
  return updates.map(({ container }) => container).join(", ");
}

function refuse(result: UpdateResult): string | undefined {
  const statuses = new Set([...result.values()].map(({ status }) => status));
  if (statuses.has("failed")) {
    return "cannot satisfy specs";
  }
  return statuses.has("success") ? undefined : "no changes found";
}
