import type { SyncSet } from "../cluster/sync-set.ts";
import type { PruneMode, ResourceCache, SyncOptions, Target } from "../engine/index.ts";
import type { KubeObject } from "../kube/object.ts";
import type { ResourceId } from "../resource/id.ts";
import { type Collection, isManaged, keepReason, lastOfIds, leaveReason } from "./garbage.ts";
import type { TargetSet } from "./target-set.ts";

/** What the engine is asked for. */
export interface SyncRequest {
  /** The arguments of the engine's methods, less the signal. */
  readonly ask: readonly [
    targets: readonly Target[],
    isManaged: (live: KubeObject) => boolean,
    revision: string,
    options: SyncOptions,
  ];
  readonly collection: Collection;
}

/** What requests are made with. */
export interface RequestSources {
  readonly cache: Pick<ResourceCache, "managed" | "mayBeManaged">;
  readonly allowedNamespaces: ReadonlySet<string>;
  readonly prune: PruneMode;
}

/** Makes of a sync set what the engine is asked for: with Flux's rules of what is ours, and what is left alone. */
export function syncRequest(
  set: SyncSet,
  { targets, checksums }: Pick<TargetSet, "targets" | "checksums">,
  { cache, allowedNamespaces, prune }: RequestSources,
): SyncRequest {
  let last: ReadonlyMap<ResourceId, KubeObject> | undefined;
  const sight = { allowedNamespaces, mayBeManaged: cache.mayBeManaged.bind(cache) };
  const collection: Collection = {
    ...sight,
    syncSetName: set.name,
    checksums,
    heldBack: new Set(set.heldBack),
    lastOfIds: () => (last ??= lastOfIds(cache.managed(), sight)),
  };
  const options: SyncOptions = {
    unit: set.name,
    prune: set.complete ? prune : "off",
    keep: (live) => keepReason(live, collection),
    leave: (_target, live) => leaveReason(live, collection),
  };
  return { ask: [targets, (live) => isManaged(live, collection), set.revision, options], collection };
}
