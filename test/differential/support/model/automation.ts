import type { World, Written } from "../../../support/update-world.ts";
import { readFilter } from "./tag-filter.ts";
import {
  containersIn,
  filterOf,
  type ModelContainer,
  type ModelRegistry,
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
export function automationChanges(world: World, registry: ModelRegistry): readonly ModelChange[] {
  const running = Object.entries(world.cluster ?? world.git);
  return running.flatMap(([workload, live]) => {
    const inGit = world.git[workload];
    if (live === null || !inGit || !isAutomated(inGit)) {
      return [];
    }
    return containersIn(live).flatMap((container) => {
      const tag = newTag(container, filterOf(inGit, container.name), registry);
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

function isAutomated({ policies = {} }: Written): boolean {
  const has = (policy: string): boolean => policies[policy] === "true";
  return has("automated") && !has("locked") && !has("ignore");
}
