import { diffArrays } from "diff";

/** A part of a text that another version replaces, by line numbers: from `start` up to, but not including, `end`. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** A difference between two texts. */
export interface Hunk {
  /** The lines that are replaced; empty for an insertion. */
  readonly old: LineRange;
  /** Where the new lines are in the other text; empty for a deletion. */
  readonly new: LineRange;
  /** The new lines, with their line breaks. */
  readonly lines: readonly string[];
}

/** Texts that differ in more lines than this aren't compared: finding the differences would take too long. */
const mostEdits = 10_000;

/** The lines of a text, each with its line break. */
export function splitLines(text: string): readonly string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/** The differences between two texts, in their order, with unchanged lines in between; undefined if there are too many. */
export function hunksBetween(
  before: readonly string[],
  after: readonly string[],
): readonly Hunk[] | undefined {
  const parts = diffArrays([...before], [...after], { maxEditLength: mostEdits });
  if (parts === undefined) {
    return undefined;
  }
  const hunks: Hunk[] = [];
  let [oldLine, newLine] = [0, 0];
  let [oldStart, newStart] = [0, 0];
  const close = (): void => {
    if (oldStart < oldLine || newStart < newLine) {
      const [old, made] = [
        { start: oldStart, end: oldLine },
        { start: newStart, end: newLine },
      ];
      hunks.push({ old, new: made, lines: after.slice(newStart, newLine) });
    }
  };
  for (const { added, removed, value } of parts) {
    if (added) {
      newLine += value.length;
    } else if (removed) {
      oldLine += value.length;
    } else {
      close();
      oldLine += value.length;
      newLine += value.length;
      [oldStart, newStart] = [oldLine, newLine];
    }
  }
  close();
  return hunks;
}

/** A text with some of the differences to another one; they must be in order, and must not overlap. */
export function applyHunks(lines: readonly string[], hunks: readonly Hunk[]): string {
  const result: string[] = [];
  let at = 0;
  for (const { old, lines: replacement } of hunks) {
    result.push(...lines.slice(at, old.start), ...replacement);
    at = old.end;
  }
  return [...result, ...lines.slice(at)].join("");
}
