import type { ResourceId } from "../resource/id.ts";

/** What the next sync to a revision won't delete until somebody confirms it. */
export interface PendingDeletions {
  /** Resources that ask for a confirmation before they're deleted. */
  readonly unconfirmed: readonly ResourceId[];
  /** Resources that aren't deleted because they're more than --sync-prune-limit allows. */
  readonly heldBack: readonly ResourceId[];
  /** Why these are held back; "" if there are none. */
  readonly reason: string;
}

/** Deletions that a person has allowed although they're more than --sync-prune-limit allows. */
export interface ApprovedDeletions {
  readonly ids: readonly ResourceId[];
  /** Why the next fluxd won't know about it; "" if it will. */
  readonly forgotten: string;
}
