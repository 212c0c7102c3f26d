import type { KeptObject, SyncPlan } from "@weir/engine";
import type { PendingDeletions } from "../cluster/pending-deletions.ts";
import type { ResourceId } from "../resource/id.ts";
import { idOf } from "./object-id.ts";

/** What a plan leaves alone until somebody confirms it. */
export function pendingIn(plan: SyncPlan): PendingDeletions {
  const held = heldBackIn(plan);
  return {
    unconfirmed: [...unconfirmedIn(plan).keys()],
    heldBack: held.map(({ key }) => idOf(key)),
    reason: held[0]?.reason ?? "",
  };
}

/** The objects of a plan that wait for a confirmation, by ID. */
export function unconfirmedIn({ kept }: SyncPlan): ReadonlyMap<ResourceId, KeptObject> {
  return new Map(kept.filter(({ guard }) => guard === "unconfirmed").map((each) => [idOf(each.key), each]));
}

/** The objects of a plan that are held back because they're too many. */
export function heldBackIn({ kept }: SyncPlan): readonly KeptObject[] {
  return kept.filter(({ guard }) => guard === "prune-limit");
}
