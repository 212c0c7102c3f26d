import { compareGoStrings, compareVersions, parseVersion, type Version } from "@weir/base";
import type { ImageInfo } from "./info.ts";
import { printImageRef } from "./ref.ts";
import type { TagPattern } from "./tag-pattern.ts";
import { compareTimestamps } from "./timestamp.ts";

/** An image and its sort key, which is parsed once. */
interface Keyed {
  readonly info: ImageInfo;
  readonly ref: string;
  readonly version: Version | undefined;
}

/** Negative if the first image is newer. */
type Order = (a: Keyed, b: Keyed) => number;

/**
 * Sorts the newest image first, in the pattern's order. A version pattern's is by version: among equal versions, the longer
 * spelling comes first (1.10.0 before 1.10), and tags that aren't versions come last, by name. Otherwise it's by creation
 * time: images with the same one, and those without one, are sorted by name.
 */
export function sortImages(infos: readonly ImageInfo[], pattern: TagPattern): readonly ImageInfo[] {
  const order = orderOf(pattern);
  return infos
    .map((info) => toKeyed(info, order))
    .sort(order)
    .map(({ info }) => info);
}

/** The first image in the order of sortImages, without sorting the others; undefined if there's none. */
export function newestOf(infos: readonly ImageInfo[], pattern: TagPattern): ImageInfo | undefined {
  const order = orderOf(pattern);
  const [first, ...others] = infos.map((info) => toKeyed(info, order));
  return first && others.reduce((newest, each) => (order(each, newest) < 0 ? each : newest), first).info;
}

/** True if the pattern sorts the first image before the second. */
export function isNewerImage(a: ImageInfo, b: ImageInfo, pattern: TagPattern): boolean {
  const order = orderOf(pattern);
  return order(toKeyed(a, order), toKeyed(b, order)) < 0;
}

function orderOf(pattern: TagPattern): Order {
  return pattern.kind === "semver" ? byVersion : byCreation;
}

function byCreation(a: Keyed, b: Keyed): number {
  return compareTimestamps(b.info.createdAt, a.info.createdAt) || compareGoStrings(a.ref, b.ref);
}

function byVersion(a: Keyed, b: Keyed): number {
  if (a.version === undefined || b.version === undefined) {
    return (
      Number(a.version === undefined) - Number(b.version === undefined) || compareGoStrings(a.ref, b.ref)
    );
  }
  return compareVersions(b.version, a.version) || compareGoStrings(b.ref, a.ref);
}

/** Versions are parsed only for orders that use them. */
function toKeyed(info: ImageInfo, order: Order): Keyed {
  const version = order === byVersion ? parseVersion(info.ref.tag) : undefined;
  return { info, ref: printImageRef(info.ref), version };
}
