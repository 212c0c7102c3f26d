import { compareVersions, type ModelFilter, readVersion, type Version } from "./tag-filter.ts";

/** What is known of one tag: when its image was made, "" where the image does not say; null where nothing is known. */
export type KnownTags = Readonly<Record<string, string | null>>;

/** A tag and when its image was made. */
export interface TaggedImage {
  readonly tag: string;
  readonly created: string;
  /** The text of the whole reference; where there is none, names are taken to be the same. */
  readonly id?: string;
}

/**
 * The images of one repository, the newest first; where times or versions do not decide, their texts do. pkg/image/image.go, NewerByCreated and NewerBySemver.
 */
export function newestFirst(images: readonly TaggedImage[], by: ModelFilter["by"]): readonly TaggedImage[] {
  return images.toSorted(by === "time" ? byTime : byVersion);
}

/** True where the first of two images of a repository comes before the second. */
export function isNewer(a: TaggedImage, b: TaggedImage, by: ModelFilter["by"]): boolean {
  return (by === "time" ? byTime(a, b) : byVersion(a, b)) < 0;
}

function byTime(a: TaggedImage, b: TaggedImage): number {
  return momentOf(b) - momentOf(a) || byText(a, b);
}

function byVersion(a: TaggedImage, b: TaggedImage): number {
  const [x, y] = [readVersion(a.tag), readVersion(b.tag)];
  if (x === undefined || y === undefined) {
    return rank(x) - rank(y) || byText(a, b);
  }
  return compareVersions(y, x) || byText(b, a);
}

function rank(version: Version | undefined): number {
  return version === undefined ? 1 : 0;
}

function byText(a: TaggedImage, b: TaggedImage): number {
  const [x, y] = [a.id ?? a.tag, b.id ?? b.tag];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Go's zero time is before all others. */
function momentOf({ created }: TaggedImage): number {
  return created === "" ? -1e15 : Date.parse(created);
}
