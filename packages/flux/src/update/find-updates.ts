import type { Workload } from "../cluster/workload.ts";
import { findImage, type ImageInfo } from "../image/info.ts";
import { isSameImage, printImageRef, withTag } from "../image/ref.ts";
import { needsTimestamps, type TagPattern } from "../image/tag-pattern.ts";
import type { Timestamp } from "../image/timestamp.ts";
import type { ResourceId } from "../resource/id.ts";
import { hasPolicy, type PolicySet } from "../resource/policy.ts";
import type { Container, Resource } from "../resource/resource.ts";
import { tagPatternOf } from "../resource/tag-filter.ts";
import type { ImageRepositories } from "./images.ts";
import type { AutomatedChange } from "./spec.ts";

/** A container of an automated workload for which there's a newer image, or for which that can't be determined. */
export interface Finding {
  readonly workload: ResourceId;
  readonly container: Container;
  readonly pattern: TagPattern;
  readonly outcome: Outcome;
}

/** The outcome for automation; the texts are Flux v1's. */
export type Outcome =
  | { readonly kind: "update"; readonly change: AutomatedChange; readonly reason: string }
  | {
      readonly kind: "skipped";
      readonly warning: string;
      readonly details: Readonly<Record<string, string>>;
    };

/** The workloads in git that are automated, and not locked or ignored. Same as in Flux v1. */
export function automatedWorkloads(resources: ReadonlyMap<ResourceId, Resource>): readonly Resource[] {
  return [...resources.values()].filter(
    ({ policies }) =>
      hasPolicy(policies, "automated") && !hasPolicy(policies, "locked") && !hasPolicy(policies, "ignore"),
  );
}

/**
 * Compares the running images with the available ones: the newest image that the tag pattern in git allows, by time or
 * by version. Containers that already run it are left out. Like Flux v1's calculateChanges.
 */
export function findUpdates(
  workloads: readonly Workload[],
  policiesOf: (id: ResourceId) => PolicySet,
  repositories: ImageRepositories,
): readonly Finding[] {
  return workloads.flatMap((workload) =>
    workload.containers.flatMap((container) => {
      const pattern = tagPatternOf(policiesOf(workload.id), container.name);
      const outcome = outcomeOf(workload.id, container, pattern, repositories);
      return outcome === undefined ? [] : [{ workload: workload.id, container, pattern, outcome }];
    }),
  );
}

function outcomeOf(
  workload: ResourceId,
  { name, image }: Container,
  pattern: TagPattern,
  repositories: ImageRepositories,
): Outcome | undefined {
  const newest = repositories.newest(image, pattern);
  if (newest.kind === "unknown") {
    return skipped(`inconsistent repository metadata: ${newest.reason.message}`);
  }
  if (newest.kind === "none" || isSameImage(newest.image.ref, image)) {
    return undefined;
  }
  const { tag } = newest.image.ref;
  if (tag === "") {
    return skipped("untagged image in available images");
  }
  const current = findImage(repositories.metadata(image), image);
  if (needsTimestamps(pattern) && [current, newest.image].some(({ createdAt }) => createdAt === undefined)) {
    return skipped("image with zero created timestamp", {
      current: describe(current),
      latest: describe(newest.image),
    });
  }
  return {
    kind: "update",
    change: { workload, container: { name, image }, image: withTag(image, tag) },
    reason: `latest ${tag} (${printTime(newest.image.createdAt)}) > current ${image.tag} (${printTime(current.createdAt)})`,
  };
}

function skipped(warning: string, details: Readonly<Record<string, string>> = {}): Outcome {
  return { kind: "skipped", warning, details };
}

function describe({ ref, createdAt }: ImageInfo): string {
  return `${printImageRef(ref)} (${printTime(createdAt)})`;
}

/** Prints a time as Go does in messages; an unknown time is Go's zero time. */
function printTime(time: Timestamp | undefined): string {
  return time === undefined
    ? "0001-01-01 00:00:00 +0000 UTC"
    : `${time.replace("T", " ").replace("Z", "")} +0000 UTC`;
}
