/** A line of a unified diff, with its numbers before and after; those of a heading are undefined. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "heading";
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

/** The lines of a unified diff, without the names of the files. */
export function diffLines(diff: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [before, after] = [1, 1];
  let isInside = false;
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk !== null) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      isInside = true;
      lines.push({ kind: "heading", text: line });
    } else if (!isInside || line.startsWith("\\")) {
      // The names of the files, and "No newline at end of file".
    } else if (line.startsWith("+")) {
      lines.push({ kind: "added", text: line.slice(1), after: after++ });
    } else if (line.startsWith("-")) {
      lines.push({ kind: "removed", text: line.slice(1), before: before++ });
    } else {
      lines.push({ kind: "same", text: line.slice(1), before: before++, after: after++ });
    }
  }
  return lines;
}

/** How many lines a diff adds and removes. */
export function diffSize(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  return {
    added: lines.filter(({ kind }) => kind === "added").length,
    removed: lines.filter(({ kind }) => kind === "removed").length,
  };
}
