import type { RepositoryRecord } from "../cache/records.ts";

/**
 * True if a workload might now want another image: a tag was added, removed, or changed. Unlike in Flux v1, a tag
 * without an image doesn't count as new each time.
 */
export function hasNewImages(before: RepositoryRecord, after: RepositoryRecord): boolean {
  return (
    before.images.size !== after.images.size ||
    [...after.images].some(([tag, { digest }]) => before.images.get(tag)?.digest !== digest)
  );
}

/** The tags that still refer to the same image as before, or still to none. */
export function unchangedTags(
  tags: ReadonlySet<string>,
  before: RepositoryRecord,
  after: RepositoryRecord,
): readonly string[] {
  return [...tags].filter((tag) => before.images.get(tag)?.digest === after.images.get(tag)?.digest);
}
