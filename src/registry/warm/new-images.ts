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
