/** When an image is looked at again: rarely where it does not change, more often where it does. Pure. As Flux v1. */
import type { ImageEntry } from "./client.ts";

const minute = 60_000;
const hour = 60 * minute;

/** From the first sight of an image to the second. */
const initialRefresh = hour;
const minRefresh = 5 * minute;
const maxRefresh = 7 * 24 * hour;
/** How far the clocks of two who share a cache may be apart. */
const clockSkew = hour;
/** What is no image for us will hardly become one. */
const excludedRefresh = 24 * hour;

/** How long the record of a repository counts as new. It is written at each pass, so that this only keeps it. */
export const repositoryRefresh: number = maxRefresh;

/** What was known of an image before it was looked at again. */
export interface Previous {
  readonly digest: string;
  /** From when it was read to when it was due, in milliseconds. */
  readonly interval: number;
}

/** The time from reading an image until it is due again, in milliseconds. */
export function nextRefresh(entry: ImageEntry, previous: Previous | undefined): number {
  if (entry.kind === "excluded") {
    return excludedRefresh;
  }
  if (previous === undefined || previous.digest === "") {
    return clip(previous?.interval ?? initialRefresh);
  }
  return clip(entry.info.digest === previous.digest ? previous.interval * 2 : previous.interval / 2);
}

/** The interval that an entry was read with; the shortest where its record does not tell when that was. */
export function intervalOf(entry: ImageEntry, deadline: number): number {
  if (entry.kind === "excluded") {
    return excludedRefresh;
  }
  const { lastFetched } = entry.info;
  return lastFetched === undefined ? minRefresh : deadline - Date.parse(lastFetched);
}

/**
 * True where a record is to be read anew: it is over its time, or has one that no scan gives it, with which it would
 * stay for ever. Another scanner's clock may be ahead of ours.
 */
export function isDue(deadline: number, now: number): boolean {
  return now > deadline || deadline > now + maxRefresh + clockSkew;
}

function clip(interval: number): number {
  return Math.max(minRefresh, Math.min(interval, maxRefresh));
}
