import { type KubeObject, labelOf } from "../kube/object.ts";
import type { ResourceId } from "../resource/id.ts";
import { isAllowedResource } from "./allowed-namespaces.ts";
import { liveIdOf } from "./live-id.ts";
import { ignoreValueOf, markLabel, markOf } from "./marks.ts";

/**
 * True for a live object that was applied as part of this sync set: its mark is the one that its own ID gives,
 * so an object to which the label was copied is none.
 */
export function isManaged(object: KubeObject, syncSetName: string, allowed: ReadonlySet<string>): boolean {
  const id = liveIdOf(object);
  return labelOf(object, markLabel) === markOf(syncSetName, id) && isAllowedResource(id, allowed);
}

/** Why a live object that git no longer has is kept all the same; undefined where it is to be deleted. */
export function keepReason(object: KubeObject, heldBack: ReadonlySet<ResourceId>): string | undefined {
  const ignore = ignoreValueOf(object.metadata.annotations);
  if (ignore === "true" || ignore === "sync_only") {
    return `resource has ignore policy ${ignore}`;
  }
  return heldBack.has(liveIdOf(object)) ? "its manifest could not be loaded" : undefined;
}
