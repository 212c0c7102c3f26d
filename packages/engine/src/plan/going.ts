import type { KubeObject } from "@weir/kube";
import { type PruneContext, pruneGuardOf } from "./guards.ts";

/** True for an orphan that is being deleted, and that the sync would otherwise prune itself. */
export function isGoing(live: KubeObject, context: PruneContext): boolean {
  const { deletionTimestamp, ...metadata } = live.metadata;
  return deletionTimestamp !== undefined && pruneGuardOf({ ...live, metadata }, context) === undefined;
}
