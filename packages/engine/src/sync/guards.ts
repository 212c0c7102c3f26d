import type { KubeObject, ResourceKey } from "@weir/kube";
import { syncOptionsOf } from "./sync-options.ts";

/** Whether orphans are deleted: not at all, only told about, or really. */
export type PruneMode = "off" | "dry-run" | "on";

/** Why an object is left alone. */
export type GuardName =
  | "prune-off"
  | "prune-dry-run"
  | "no-targets"
  | "opted-out"
  | "owned"
  | "being-deleted"
  | "kept";

/** An object that is left alone. */
export interface KeptObject {
  readonly key: ResourceKey;
  /** True for a target that is not applied, false for an orphan that is not pruned. */
  readonly isTarget: boolean;
  readonly guard: GuardName;
  /** For people. */
  readonly reason: string;
}

/** What the guards of pruning know beside the object. */
export interface PruneContext {
  readonly prune: PruneMode;
  readonly allowEmpty: boolean;
  /** How many targets there are. */
  readonly targets: number;
  /** The consumer's own reason to keep an object; undefined where there is none. */
  readonly keep?: ((live: KubeObject) => string | undefined) | undefined;
}

type Guard = (live: KubeObject, context: PruneContext) => string | undefined;

/**
 * Reasons not to prune an orphan, the more telling ones first: what protects the object itself goes before
 * what holds for all of them, so that a dry run tells only of what would really go.
 */
const pruneGuards: readonly (readonly [GuardName, Guard])[] = [
  ["being-deleted", isBeingDeleted],
  ["owned", hasOwner],
  ["opted-out", hasOptedOut],
  ["kept", isKept],
  ["no-targets", hasNoTargets],
  ["prune-off", isPruneOff],
  ["prune-dry-run", isDryRun],
];

/** The first reason not to prune an orphan; undefined where it is to be pruned. */
export function pruneGuardOf(
  live: KubeObject,
  context: PruneContext,
): Pick<KeptObject, "guard" | "reason"> | undefined {
  for (const [guard, reasonOf] of pruneGuards) {
    const reason = reasonOf(live, context);
    if (reason !== undefined) {
      return { guard, reason };
    }
  }
  return undefined;
}

function isBeingDeleted(live: KubeObject): string | undefined {
  return live.metadata.deletionTimestamp === undefined ? undefined : "it is being deleted already";
}

/** What has an owner is deleted by Kubernetes, with its owner or not at all. */
function hasOwner(live: KubeObject): string | undefined {
  const owner = live.metadata.ownerReferences?.[0];
  return owner === undefined ? undefined : `it belongs to ${owner.kind} ${owner.name}`;
}

function hasOptedOut(live: KubeObject): string | undefined {
  return syncOptionsOf(live).prune ? undefined : "its sync options say so";
}

function isKept(live: KubeObject, { keep }: PruneContext): string | undefined {
  return keep?.(live);
}

/** No targets at all is more often a mistake, or a repository that could not be read, than meant. */
function hasNoTargets(_live: KubeObject, { targets, allowEmpty }: PruneContext): string | undefined {
  return targets === 0 && !allowEmpty ? "there are no targets at all" : undefined;
}

function isPruneOff(_live: KubeObject, { prune }: PruneContext): string | undefined {
  return prune === "off" ? "pruning is off" : undefined;
}

function isDryRun(_live: KubeObject, { prune }: PruneContext): string | undefined {
  return prune === "dry-run" ? "it would be pruned (dry run)" : undefined;
}
