import { readFilter } from "./tag-filter.ts";
import {
  filterOf,
  type ModelContainer,
  type ModelPolicies,
  type ModelRegistry,
  type ModelWorld,
  newestOf,
  tagsOf,
} from "./world.ts";

/** A container that automation would set to another tag. */
export interface ModelChange {
  readonly workload: string;
  readonly container: string;
  readonly tag: string;
}

/**
 * What automation finds to be changed. Workloads count that git has as automated, and neither as locked nor as
 * ignored; images count that run. Where tags are sorted by time, that of what runs has to be known, and what runs is
 * looked up by its whole reference: one with a digest is not known. pkg/daemon/images.go, calculateChanges.
 */
export function automationChanges({ git, running, registry }: ModelWorld): readonly ModelChange[] {
  return Object.entries(running).flatMap(([workload, { containers }]) => {
    const policies = git[workload];
    if (policies === undefined || !isAutomated(policies)) {
      return [];
    }
    return containers.flatMap((container) => {
      const tag = newTag(container, filterOf(policies, container.name), registry);
      return tag === undefined ? [] : [{ workload, container: container.name, tag }];
    });
  });
}

function newTag({ image }: ModelContainer, filter: string, registry: ModelRegistry): string | undefined {
  const tags = tagsOf(registry, image);
  const newest = newestOf(tags, filter);
  if (newest === "none" || newest === "unknown") {
    return undefined;
  }
  const isNewestRunning = newest.tag === image.tag && image.sha === "";
  const running = image.sha === "" ? (tags[image.tag] ?? "") : "";
  const isTold = readFilter(filter).by === "version" || (running !== "" && newest.created !== "");
  return isNewestRunning || !isTold ? undefined : newest.tag;
}

function isAutomated(policies: ModelPolicies): boolean {
  const has = (policy: string): boolean => policies[policy] === "true";
  return has("automated") && !has("locked") && !has("ignore");
}
