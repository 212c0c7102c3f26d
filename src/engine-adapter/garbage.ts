/**
 * What Flux v1 sees of a cluster, and what its garbage collection makes of it: every question whether a live object
 * may be deleted, or keeps its manifest from being applied, is answered here. Its rules are those of Flux v1's
 * pkg/cluster/kubernetes/sync.go; where one is in doubt, the object stays.
 */
import { type GroupKind, gvkOf, type KubeObject, labelOf } from "@weir/kube";
import type { ResourceId } from "../resource/id.ts";
import { isAllowedObject } from "./allowed-namespaces.ts";
import { liveIdOf } from "./live-id.ts";
import { checksumAnnotation, ignoreValueOf, markLabel, markOf } from "./marks.ts";

/** What is seen of a cluster. */
export interface Sight {
  /** Empty: all namespaces. */
  readonly allowedNamespaces: ReadonlySet<string>;
  /** False for kinds that Flux does not list: excluded ones, Endpoints, ComponentStatuses, Events. */
  readonly mayBeManaged: (kind: GroupKind) => boolean;
}

/** What garbage collection goes by in one sync. */
export interface Collection extends Sight {
  readonly syncSetName: string;
  /** The checksums of what git has, applied or not, by ID. */
  readonly checksums: ReadonlyMap<ResourceId, string>;
  /** What git has and could not be loaded. */
  readonly heldBack: ReadonlySet<ResourceId>;
  /** `lastOfIds` of what bears a mark; asked for only where something is to be deleted. */
  readonly lastOfIds: () => ReadonlyMap<ResourceId, KubeObject>;
}

/** Says that git has the object, in some form in which it was not applied. */
export const notUpdated = "resource to be synced has not been updated";

/** True for what Flux v1 lists: nothing that an owner answers for, of kinds and in namespaces that it looks at. */
export function isVisible(live: KubeObject, { allowedNamespaces, mayBeManaged }: Sight): boolean {
  const isOwned = (live.metadata.ownerReferences ?? []).length > 0;
  return !isOwned && mayBeManaged(gvkOf(live)) && isAllowedObject(live, allowedNamespaces);
}

/**
 * True for a visible object that was applied as part of the sync set: its mark is the one that its own ID gives, so
 * an object to which the label was copied is none.
 */
export function isManaged(live: KubeObject, collection: Collection): boolean {
  return (
    isVisible(live, collection) && labelOf(live, markLabel) === markOf(collection.syncSetName, liveIdOf(live))
  );
}

/** Why a managed object without a target is kept all the same; undefined where it is to be deleted. */
export function keepReason(live: KubeObject, collection: Collection): string | undefined {
  const id = liveIdOf(live);
  // IDs do not tell API groups and the case of kinds apart: whatever has an ID that git has stays.
  if (collection.checksums.has(id)) {
    return notUpdated;
  }
  if (collection.heldBack.has(id)) {
    return "its manifest could not be loaded";
  }
  const ignore = ignoreValueOf(live.metadata.annotations);
  if (ignore === "true" || ignore === "sync_only") {
    return `resource has ignore policy ${ignore}`;
  }
  const last = collection.lastOfIds().get(id);
  return last !== undefined && isSameObject(live, last) ? undefined : "another object has the same ID";
}

/**
 * The object that Flux v1 takes for the one of an ID: where several have it, as in several API groups, the one that
 * it lists last. `marked` is what bears a mark, of this sync set or another, kinds in the order of the server.
 */
export function lastOfIds(marked: Iterable<KubeObject>, sight: Sight): ReadonlyMap<ResourceId, KubeObject> {
  const visible = Iterator.from(marked).filter((live) => isVisible(live, sight));
  return new Map(visible.map((live) => [liveIdOf(live), live] as const));
}

/** The IDs of managed objects that git has otherwise than the cluster: something kept them from being applied. */
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

/** Why a manifest is not applied to its live object: an annotation may ask for that, e.g. in an emergency. */
export function leaveReason(live: KubeObject | undefined, sight: Sight): string | undefined {
  const isIgnored = live !== undefined && ignoreValueOf(live.metadata.annotations) === "true";
  return isIgnored && isVisible(live, sight) ? "ignore annotation in cluster resource" : undefined;
}

function isSameObject(one: KubeObject, other: KubeObject): boolean {
  const { uid } = one.metadata;
  return one === other || (uid !== undefined && uid === other.metadata.uid);
}
