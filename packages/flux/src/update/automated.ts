import { canonicalImageRef, isSameImage, withTag } from "../image/ref.ts";
import type { Container } from "../resource/resource.ts";
import type { Candidate } from "./candidate.ts";
import { notIgnored, notLocked, onlyIncluded } from "./filter.ts";
import type { UpdatePlanner } from "./planner.ts";
import { skipped, updated, type WorkloadResult } from "./result.ts";
import type { AutomatedChange, ContainerUpdate } from "./spec.ts";

/**
 * Makes the changes that automation found, unless they're already in git. Compares with the images in git, not with
 * those that are running. Like Flux v1's Automated.
 */
export function automatedPlanner(changes: readonly AutomatedChange[]): UpdatePlanner {
  const byWorkload = Map.groupBy(changes, ({ workload }) => workload);
  const named = [...byWorkload.keys()];
  return {
    named,
    manifestFilters: [onlyIncluded(named)],
    candidateFilters: [notLocked, notIgnored],
    images: { kind: "none" },
    decide: (candidate) => decide(byWorkload.get(candidate.resource.id) ?? [], candidate),
  };
}

function decide(changes: readonly AutomatedChange[], { resource }: Candidate): WorkloadResult {
  const updates = (resource.containers ?? []).flatMap((container) =>
    changes
      .filter((change) => change.container.name === container.name)
      .flatMap((change) => updateOf(container, change)),
  );
  return updates.length > 0 ? updated(updates) : skipped("image(s) up to date");
}

/** Only the tag changes, so that the name keeps its spelling from the manifest. */
function updateOf(
  { name, image: current }: Container,
  { image }: AutomatedChange,
): readonly ContainerUpdate[] {
  return isSameImage(canonicalImageRef(image), canonicalImageRef(current))
    ? []
    : [{ container: name, current, target: withTag(current, image.tag) }];
}
