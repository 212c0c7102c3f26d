import type { ResourceId } from "../../resource/id.ts";
import type { ResourceSet } from "../ports.ts";

/** The resources in `after` that are new or whose bytes changed, in the order of `after`. */
export function changedResources(before: ResourceSet, after: ResourceSet): readonly ResourceId[] {
  return [...after.values()]
    .filter((resource) => before.get(resource.id)?.bytes !== resource.bytes)
    .map((resource) => resource.id);
}
