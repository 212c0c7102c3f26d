/**
 * What Flux v1 sees of a cluster, and what its garbage collection deletes. This file makes all decisions about whether
 * a live object may be deleted, and whether it keeps its manifest from being applied. The rules are those of Flux v1's
 * pkg/cluster/kubernetes/sync.go; in case of doubt, the object stays.
 */

import { checksumAnnotation, ignoreValueOf, markLabel, markOf, type ResourceId } from "@weir/flux";
import { type GroupKind, gvkOf, type KubeObject, labelOf } from "@weir/kube";
import { isAllowedObject } from "./allowed-namespaces.ts";
import { liveIdOf } from "./live-id.ts";

/** Which part of a cluster is visible. */
export interface Sight {
  /** Empty for all namespaces. */
  readonly allowedNamespaces: ReadonlySet<string>;
  /** False for kinds that Flux doesn't list: excluded ones, Endpoints, ComponentStatuses, and Events. */
  readonly mayBeManaged: (kind: GroupKind) => boolean;
}

/** The data that garbage collection uses in one sync. */
export interface Collection extends Sight {
  readonly syncSetName: string;
  /** The checksums of all resources in git, applied or not, by ID. */
  readonly checksums: ReadonlyMap<ResourceId, string>;
  /** Resources in git that couldn't be loaded. */
  readonly heldBack: ReadonlySet<ResourceId>;
  /** `lastOfIds` of all marked objects; called only if something may be deleted. */
  readonly lastOfIds: () => ReadonlyMap<ResourceId, KubeObject>;
}

/** The message for an object that's in git in a form that wasn't applied. */
export const notUpdated = "resource to be synced has not been updated";

/** True for objects that Flux v1 lists: without an owner, and of the kinds and in the namespaces that it looks at. */
export function isVisible(live: KubeObject, { allowedNamespaces, mayBeManaged }: Sight): boolean {
  const isOwned = (live.metadata.ownerReferences ?? []).length > 0;
  return !isOwned && mayBeManaged(gvkOf(live)) && isAllowedObject(live, allowedNamespaces);
}

/**
 * True for a visible object that was applied as part of the sync set. The mark must be the one for the object's own ID,
 * so an object that only has a copy of the label doesn't count.
 */
export function isManaged(live: KubeObject, collection: Collection): boolean {
  return (
    isVisible(live, collection) && labelOf(live, markLabel) === markOf(collection.syncSetName, liveIdOf(live))
  );
}

/** Why a managed object without a target is kept; undefined if it should be deleted. */
export function keepReason(live: KubeObject, collection: Collection): string | undefined {
  const id = liveIdOf(live);
  // IDs don't distinguish API groups or the case of kinds, so every object whose ID is in git stays.
  if (collection.checksums.has(id)) {
    return notUpdated;
  }
  if (collection.heldBack.has(id)) {
    return "its manifest couldn't be loaded";
  }
  const ignore = ignoreValueOf(live.metadata.annotations);
  if (ignore === "true" || ignore === "sync_only") {
    return `resource has ignore policy ${ignore}`;
  }
  const last = collection.lastOfIds().get(id);
  return last !== undefined && isSameObject(live, last) ? undefined : "another object has the same ID";
}

/**
 * The object that Flux v1 uses for an ID: if several have the same ID, for example in different API groups, the one
 * that it lists last. `marked` contains the objects with a mark, of this sync set or another, in the server's order of
 * kinds.
 */
export function lastOfIds(marked: Iterable<KubeObject>, sight: Sight): ReadonlyMap<ResourceId, KubeObject> {
  const visible = Iterator.from(marked).filter((live) => isVisible(live, sight));
  return new Map(visible.map((live) => [liveIdOf(live), live] as const));
}

/** The IDs of managed objects that differ between git and the cluster: something kept them from being applied. */
export function outdatedIds(marked: Iterable<KubeObject>, collection: Collection): ReadonlySet<ResourceId> {
  const ids = new Set<ResourceId>();
  for (const live of marked) {
    const id = liveIdOf(live);
    const expected = collection.checksums.get(id);
    const isOutdated = expected !== undefined && live.metadata.annotations?.[checksumAnnotation] !== expected;
    if (isOutdated && isManaged(live, collection)) {
      ids.add(id);
    }
  }
  return ids;
}

/** Why a manifest isn't applied to its live object: an annotation can ask for that, for example in an emergency. */
export function leaveReason(live: KubeObject | undefined, sight: Sight): string | undefined {
  const isIgnored = live !== undefined && ignoreValueOf(live.metadata.annotations) === "true";
  return isIgnored && isVisible(live, sight) ? "ignore annotation in cluster resource" : undefined;
}

function isSameObject(one: KubeObject, other: KubeObject): boolean {
  const { uid } = one.metadata;
  return one === other || (uid !== undefined && uid === other.metadata.uid);
}
