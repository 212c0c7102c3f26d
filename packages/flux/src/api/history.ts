import type { ResourceId } from "../resource/id.ts";

/** What can have happened: changes in git by people or by fluxd, syncs, and changes in the cluster that were put back. */
export const historyKinds = ["commit", "release", "autorelease", "policy", "undo", "sync", "drift"] as const;

/** What happened. */
export type HistoryKind = (typeof historyKinds)[number];

/** Something that happened. */
export interface HistoryEntry {
  readonly kind: HistoryKind;
  readonly at: Date;
  /** Who wanted it: the person that a request named, or else the author of the commit; "fluxd" for what it did by itself. */
  readonly user: string;
  /** The commit, or the commit that was synced. */
  readonly revision: string;
  /** A single line: the message of the request, or else of the commit; for syncs, what was done. */
  readonly message: string;
  /** The resources that were changed, as far as they're known. */
  readonly resources: readonly ResourceId[];
  /** How many other resources were changed too; only a limited number is stored for each sync. */
  readonly more: number;
}

/** Which part of the history to return, newest first. */
export interface HistoryQuery {
  /** Where an earlier page ended; "" for the newest entries. */
  readonly before: string;
  readonly limit: number;
  /** Only entries about this resource; "" for all. */
  readonly resource: ResourceId | "";
  /** Only entries about resources in this namespace; "" for all. */
  readonly namespace: string;
  /** Only these kinds; all if empty. */
  readonly kinds: readonly HistoryKind[];
  /** Only entries from then on; undefined for all. */
  readonly since: Date | undefined;
}

/** A part of the history. */
export interface HistoryPage {
  /** Newest first. May be fewer than requested although there are more, if searching took too long. */
  readonly entries: readonly HistoryEntry[];
  /** Where to continue; "" at the end. */
  readonly next: string;
}
