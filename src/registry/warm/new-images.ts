import type { RepositoryRecord } from "../cache/records.ts";

/**
 * True where a workload might want another image now: a tag came or went, or stands for another image. Unlike
 * Flux v1, a tag that stays without an image is nothing new each time.
 */
export function hasNewImages(before: RepositoryRecord, after: RepositoryRecord): boolean {
  return (
    before.images.size !== after.images.size ||
    [...after.images].some(([tag, { digest }]) => before.images.get(tag)?.digest !== digest)
  );
}

/** Those of the tags that stand for what they stood for before, or still for nothing. */
export function unchangedTags(
  tags: ReadonlySet<string>,
  before: RepositoryRecord,
  after: RepositoryRecord,
): readonly string[] {
  return [...tags].filter((tag) => before.images.get(tag)?.digest === after.images.get(tag)?.digest);
}
