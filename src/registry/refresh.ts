/** When to read an image again: rarely if it never changes, more often if it does. Pure. Same as in Flux v1. */
import type { ImageEntry } from "./client.ts";

const minute = 60_000;
const hour = 60 * minute;

/** The time between the first and the second read of an image. */
const initialRefresh = hour;
const minRefresh = 5 * minute;
const maxRefresh = 7 * 24 * hour;
/** How far the clocks of two processes that share a cache can differ. */
const clockSkew = hour;
/** An excluded image hardly ever becomes a usable one. */
const excludedRefresh = 24 * hour;

/** How long the record of a repository counts as current. It's written in each pass, so this only keeps it stored. */
export const repositoryRefresh: number = maxRefresh;

/** What was known about an image before the latest read. */
export interface Previous {
  readonly digest: string;
  /** The time from the previous read to its deadline, in milliseconds. */
  readonly interval: number;
}

/** The time from reading an image until it's due again, in milliseconds. */
export function nextRefresh(entry: ImageEntry, previous: Previous | undefined): number {
  if (entry.kind === "excluded") {
    return excludedRefresh;
  }
  if (previous === undefined || previous.digest === "") {
    return clip(previous?.interval ?? initialRefresh);
  }
  return clip(entry.info.digest === previous.digest ? previous.interval * 2 : previous.interval / 2);
}

/** The interval that an entry was stored with; the shortest one if the record doesn't say when it was read. */
export function intervalOf(entry: ImageEntry, deadline: number): number {
  if (entry.kind === "excluded") {
    return excludedRefresh;
  }
  const { lastFetched } = entry.info;
  return lastFetched === undefined ? minRefresh : deadline - Date.parse(lastFetched);
}

/**
 * True if a record must be read again: its deadline has passed, or is so late that no scan can have set it, in which
 * case the record would stay forever. Allows for another scanner's clock being ahead of ours.
 */
export function isDue(deadline: number, now: number): boolean {
  return now > deadline || deadline > now + maxRefresh + clockSkew;
}

function clip(interval: number): number {
  return Math.max(minRefresh, Math.min(interval, maxRefresh));
}
