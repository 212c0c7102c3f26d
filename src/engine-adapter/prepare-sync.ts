import type { PruneLimit, PruneMode, ResourceCache, SyncRequest } from "@weir/engine";
import type { ResourceId, SyncSet } from "@weir/flux";
import type { KubeObject } from "@weir/kube";
import { foreignOwner } from "./foreign.ts";
import { type Collection, isManaged, keepReason, lastOfIds, leaveReason } from "./garbage.ts";
import type { TargetSet } from "./target-set.ts";

/** A sync set in the form that the engine expects. */
export interface PreparedSync {
  readonly request: SyncRequest;
  /** The data for the garbage-collection rules in the request. */
  readonly collection: Collection;
}

export interface SyncSources {
  readonly cache: Pick<ResourceCache, "managed" | "mayBeManaged">;
  readonly allowedNamespaces: ReadonlySet<string>;
  readonly prune: PruneMode;
  /** How many resources a sync may delete. */
  readonly pruneLimit: PruneLimit;
  /** True: resources that other tools manage are applied too. */
  readonly takeOver: boolean;
  /** True: nothing is applied if the API server refuses anything. */
  readonly preflight: boolean;
}

/** The rules of a fluxd without flags for them. */
export const usualRules = {
  pruneLimit: "100%",
  takeOver: false,
  preflight: false,
} as const satisfies Partial<SyncSources>;

/** What counts as a target: Helm's hooks are ordinary resources, as in Flux v1. */
export const usualTargets = { helmHooks: false } as const satisfies Partial<SyncRequest>;

/** Turns a sync set into a request to the engine, with Flux's rules for what's ours and what to leave unchanged. */
export function prepareSync(
  set: SyncSet,
  { targets, checksums }: Pick<TargetSet, "targets" | "checksums">,
  { cache, allowedNamespaces, prune, ...limits }: SyncSources,
): PreparedSync {
  let last: ReadonlyMap<ResourceId, KubeObject> | undefined;
  const sight = { allowedNamespaces, mayBeManaged: cache.mayBeManaged.bind(cache) };
  const collection: Collection = {
    ...sight,
    syncSetName: set.name,
    checksums,
    heldBack: new Set(set.heldBack),
    lastOfIds: () => (last ??= lastOfIds(cache.managed(), sight)),
  };
  const request: SyncRequest = {
    targets,
    isManaged: (live) => isManaged(live, collection),
    revision: set.revision,
    unit: set.name,
    ...usualTargets,
    prune: set.complete ? prune : "off",
    pruneLimit: limits.pruneLimit,
    takeOver: limits.takeOver,
    preflight: limits.preflight,
    foreignOwner,
    keep: (live) => keepReason(live, collection),
    leave: (_target, live) => leaveReason(live, collection),
  };
  return { request, collection };
}
