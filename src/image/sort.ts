import { compareGoStrings, compareVersions, parseVersion, type Version } from "@weir/base";
import type { ImageInfo } from "./info.ts";
import { printImageRef } from "./ref.ts";
import type { TagPattern } from "./tag-pattern.ts";
import { compareTimestamps } from "./timestamp.ts";

/** An image with what it is ordered by, read once. */
interface Keyed {
  readonly info: ImageInfo;
  readonly ref: string;
  readonly version: Version | undefined;
}

/** Negative where the first of two is the newer one. */
type Order = (a: Keyed, b: Keyed) => number;

/** The newest first, as the pattern orders them: by version where it is one of versions, else by creation. */
export function sortImages(infos: readonly ImageInfo[], pattern: TagPattern): readonly ImageInfo[] {
  return sortBy(infos, orderOf(pattern));
}

/** The first of what sortImages gives, without sorting the others; undefined where there is none. */
export function newestOf(infos: readonly ImageInfo[], pattern: TagPattern): ImageInfo | undefined {
  const order = orderOf(pattern);
  const [first, ...others] = infos.map((info) => toKeyed(info, order));
  return first && others.reduce((newest, each) => (order(each, newest) < 0 ? each : newest), first).info;
}

/** True where the pattern sorts the first of two images before the second. */
export function isNewerImage(a: ImageInfo, b: ImageInfo, pattern: TagPattern): boolean {
  const order = orderOf(pattern);
  return order(toKeyed(a, order), toKeyed(b, order)) < 0;
}

/** The one made last first; those made at the same time, and those of which that is not known, by name. */
export function sortImagesByCreation(infos: readonly ImageInfo[]): readonly ImageInfo[] {
  return sortBy(infos, byCreation);
}

/**
 * The highest version first. Of equal ones the longer spelling comes first (1.10.0 before 1.10); what is no
 * version comes last, by name.
 */
export function sortImagesByVersion(infos: readonly ImageInfo[]): readonly ImageInfo[] {
  return sortBy(infos, byVersion);
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

function sortBy(infos: readonly ImageInfo[], order: Order): readonly ImageInfo[] {
  return infos
    .map((info) => toKeyed(info, order))
    .sort(order)
    .map(({ info }) => info);
}

/** Versions are read only for those who order by them. */
function toKeyed(info: ImageInfo, order: Order): Keyed {
  const version = order === byVersion ? parseVersion(info.ref.tag) : undefined;
  return { info, ref: printImageRef(info.ref), version };
}
