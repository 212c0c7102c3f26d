/**
 * Merges two changes of a text line by line. Takes the original and two versions of it, and returns a text with both
 * changes, or where they collide. Without I/O, and without knowing what the text means.
 */
import { applyHunks, type Hunk, hunksBetween, type LineRange, splitLines } from "./line-hunks.ts";

/** An original, and the two versions to merge. */
export interface ThreeTexts {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Where both versions changed the same lines, or lines next to each other, as line numbers of `ours`. */
export interface Collision {
  readonly ours: LineRange;
}

/** The result of a merge. */
export type Merge =
  | { readonly kind: "merged"; readonly text: string }
  | { readonly kind: "collisions"; readonly collisions: readonly Collision[] }
  /** The texts differ in too many lines to be compared. */
  | { readonly kind: "too-different" };

/**
 * Changes collide if they overlap or touch, like git's: which lines belong together isn't known. Unlike git's, lines
 * that were only edited in place don't collide with their edited neighbors. A change that both versions made isn't a
 * collision.
 */
export function mergeTexts({ base, ours, theirs }: ThreeTexts): Merge {
  const [baseLines, ourLines] = [splitLines(base), splitLines(ours)];
  const ourHunks = hunksBetween(baseLines, ourLines);
  const theirHunks = hunksBetween(baseLines, splitLines(theirs));
  if (ourHunks === undefined || theirHunks === undefined) {
    return { kind: "too-different" };
  }
  const wanted = theirHunks.filter((theirs) => !ourHunks.some((ours) => isSame(ours, theirs)));
  const collisions = ourHunks.filter((ours) => wanted.some((theirs) => collide(ours, theirs)));
  if (collisions.length > 0) {
    return { kind: "collisions", collisions: collisions.map((hunk) => ({ ours: hunk.new })) };
  }
  const all = [...ourHunks, ...wanted].toSorted((a, b) => a.old.start - b.old.start);
  return { kind: "merged", text: applyHunks(baseLines, all) };
}

function collide(a: Hunk, b: Hunk): boolean {
  const [first, second] = a.old.start <= b.old.start ? [a, b] : [b, a];
  if (first.old.end < second.old.start) {
    return false;
  }
  const onlyTouch = first.old.end === second.old.start;
  return !(onlyTouch && isInPlace(first) && isInPlace(second));
}

/** True for lines that are replaced by as many others. */
function isInPlace({ old, lines }: Hunk): boolean {
  return old.end > old.start && old.end - old.start === lines.length;
}

function isSame(a: Hunk, b: Hunk): boolean {
  return (
    a.old.start === b.old.start &&
    a.old.end === b.old.end &&
    a.lines.length === b.lines.length &&
    a.lines.every((line, index) => line === b.lines[index])
  );
}
