import type { KubeObject, ResourceKey } from "@weir/kube";
import { isConfirmed } from "./confirmation.ts";
import { type ForeignRule, foreignReason } from "./foreign-rule.ts";
import { isKeptByHelm } from "./helm-hooks.ts";
import { syncOptionsOf } from "./sync-options.ts";

/** Whether orphans are deleted: no, only reported, or yes. */
export type PruneMode = "off" | "dry-run" | "on";

/** Why an object is left alone. */
export type GuardName =
  | "prune-off"
  | "prune-dry-run"
  | "no-targets"
  | "opted-out"
  | "owned"
  | "being-deleted"
  | "kept"
  /** It waits until its deletion is confirmed. */
  | "unconfirmed"
  /** Another tool or unit manages it. */
  | "foreign"
  /** A Namespace or a custom resource definition with objects that must stay. */
  | "contains"
  /** More objects would be pruned than a sync may prune. */
  | "prune-limit";

/** An object that is left alone. */
export interface KeptObject {
  readonly key: ResourceKey;
  /** The UID of the live object, if it's known. */
  readonly uid?: string;
  /** True for a target that isn't applied, false for an orphan that isn't pruned. */
  readonly isTarget: boolean;
  readonly guard: GuardName;
  /** A message for people. */
  readonly reason: string;
}

/** The data that prune guards use besides the object. */
export interface PruneContext extends ForeignRule {
  readonly prune: PruneMode;
  readonly allowEmpty: boolean;
  /** True: Helm's annotations count. */
  readonly helmHooks?: boolean;
  /** The number of targets. */
  readonly targets: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Returns the caller's reason to keep an object, or undefined. */
  readonly keep?: ((live: KubeObject) => string | undefined) | undefined;
}

/** Why an object that is being deleted isn't deleted again. */
export const alreadyGoing = "it is already being deleted";

type Guard = (live: KubeObject, context: PruneContext) => string | undefined;

/**
 * Reasons not to prune an orphan, most specific first: reasons that protect a single object come before
 * general ones, so that a dry run reports only objects that would really be deleted.
 */
const pruneGuards: readonly (readonly [GuardName, Guard])[] = [
  ["being-deleted", isBeingDeleted],
  ["owned", hasOwner],
  ["opted-out", hasOptedOut],
  ["kept", isKept],
  ["foreign", isForeign],
  ["unconfirmed", isUnconfirmed],
  ["no-targets", hasNoTargets],
  ["prune-off", isPruneOff],
  ["prune-dry-run", isDryRun],
];

/** The first reason not to prune an orphan; undefined if it's to be pruned. */
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
  return live.metadata.deletionTimestamp === undefined ? undefined : alreadyGoing;
}

/** An owned object is deleted by Kubernetes together with its owner, or not at all. */
function hasOwner(live: KubeObject): string | undefined {
  const owner = live.metadata.ownerReferences?.[0];
  return owner === undefined ? undefined : `it belongs to ${owner.kind} ${owner.name}`;
}

function hasOptedOut(live: KubeObject, { helmHooks }: PruneContext): string | undefined {
  if (helmHooks === true && isKeptByHelm(live)) {
    return "its annotation helm.sh/resource-policy says so";
  }
  return syncOptionsOf(live).prune ? undefined : "its sync options say so";
}

function isKept(live: KubeObject, { keep }: PruneContext): string | undefined {
  return keep?.(live);
}

function isForeign(live: KubeObject, context: PruneContext): string | undefined {
  return foreignReason(live, undefined, context);
}

function isUnconfirmed(live: KubeObject, { now }: PruneContext): string | undefined {
  return syncOptionsOf(live).confirm && !isConfirmed(live, now)
    ? "its deletion has not been confirmed"
    : undefined;
}

/** Having no targets is more likely a mistake, or an unreadable repository, than intended. */
function hasNoTargets(_live: KubeObject, { targets, allowEmpty }: PruneContext): string | undefined {
  return targets === 0 && !allowEmpty ? "there are no targets at all" : undefined;
}

function isPruneOff(_live: KubeObject, { prune }: PruneContext): string | undefined {
  return prune === "off" ? "pruning is off" : undefined;
}

function isDryRun(_live: KubeObject, { prune }: PruneContext): string | undefined {
  return prune === "dry-run" ? "it would be pruned (dry run)" : undefined;
}
