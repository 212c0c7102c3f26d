/** Which images of a repository must be read, and which needn't. Pure. */
import type { ImageInfo } from "@weir/flux";
import type { ImageEntry } from "../client.ts";
import { intervalOf, isDue, type Previous } from "../refresh.ts";

/** An image in the cache, and when it's due again. */
export interface CachedImage {
  readonly entry: ImageEntry;
  /** In milliseconds since the epoch. */
  readonly deadline: number;
}

/** An image to read. */
export interface DueImage {
  readonly tag: string;
  /** Its data in the cache; undefined if there's none. */
  readonly known?: { readonly entry: ImageEntry; readonly previous: Previous };
}

/** The known images by tag, including those that are due, but not excluded ones. */
export interface Findings {
  readonly images: ReadonlyMap<string, ImageInfo>;
  readonly due: readonly DueImage[];
  /** When the next image becomes due, in milliseconds since the epoch; Infinity if none does. */
  readonly dueAt: number;
}

/** The time, and notices. */
export interface JudgeOptions {
  /** In milliseconds since the epoch. */
  readonly now: number;
  /** Tags that a notice named; they're due in any case. */
  readonly noticed?: ReadonlySet<string>;
}

/** Decides which tags of a repository are due, by what the cache contains. */
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
      // An image that was read early says nothing about how often it changes: without a digest, its interval stays the
      // same.
      due.push({ tag, known: { entry: found.entry, previous: { ...previousOf(found), digest: "" } } });
    } else {
      dueAt = Math.min(dueAt, found.deadline);
    }
  }
  return { images, due, dueAt };
}

/** The digest that the registry sends for a tag as long as nothing was pushed to it; undefined if it isn't known. */
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
