/** Which images of a repository have to be read, and which need not. Pure. */
import type { ImageInfo } from "../../image/info.ts";
import type { ImageEntry } from "../client.ts";
import { intervalOf, isDue, type Previous } from "../refresh.ts";

/** An image as it stands in the cache, and when it is due to be looked at again. */
export interface CachedImage {
  readonly entry: ImageEntry;
  /** In milliseconds since the epoch. */
  readonly deadline: number;
}

/** An image to be read. */
export interface DueImage {
  readonly tag: string;
  /** What is known of it; undefined where it is not in the cache. */
  readonly known?: { readonly entry: ImageEntry; readonly previous: Previous };
}

/** The images that are known, by tag, also those that are due; excluded ones are not among them. */
export interface Findings {
  readonly images: ReadonlyMap<string, ImageInfo>;
  readonly due: readonly DueImage[];
  /** When the first of those that are not due will be, in milliseconds since the epoch; Infinity where there are none. */
  readonly dueAt: number;
}

/** When images are judged, and what is known by then. */
export interface JudgeOptions {
  /** In milliseconds since the epoch. */
  readonly now: number;
  /** The tags that somebody told of: they are due in any case. */
  readonly noticed?: ReadonlySet<string>;
}

/** Judges what the cache holds of the tags of a repository. */
export function judgeImages(
  tags: readonly string[],
  cached: ReadonlyMap<string, CachedImage>,
  { now, noticed = new Set() }: JudgeOptions,
): Findings {
  const images = new Map<string, ImageInfo>();
  const due: DueImage[] = [];
  let dueAt = Infinity;
  for (const tag of tags) {
    const found = cached.get(tag);
    if (found?.entry.kind === "image") {
      images.set(tag, found.entry.info);
    }
    if (found === undefined) {
      due.push({ tag });
    } else if (isDue(found.deadline, now)) {
      due.push({ tag, known: { entry: found.entry, previous: previousOf(found) } });
    } else if (noticed.has(tag)) {
      // Looked at out of turn, an image tells nothing of how often it changes: with no digest its rhythm stays.
      due.push({ tag, known: { entry: found.entry, previous: { ...previousOf(found), digest: "" } } });
    } else {
      dueAt = Math.min(dueAt, found.deadline);
    }
  }
  return { images, due, dueAt };
}

/** The digest that the registry gives for a tag as long as nothing was pushed to it; undefined where not known. */
export function knownDigest({ known }: DueImage): string | undefined {
  const entry = known?.entry;
  return entry?.kind === "image" ? entry.indexDigest || entry.info.digest || undefined : undefined;
}

function previousOf({ entry, deadline }: CachedImage): Previous {
  return {
    digest: entry.kind === "image" ? entry.info.digest : "",
    interval: intervalOf(entry, deadline),
  };
}
