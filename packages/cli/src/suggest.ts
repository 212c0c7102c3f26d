/** The largest edit distance between a typed word and a suggestion. */
const farthest = 2;

/**
 * The names that the user might have meant: similar ones, and those that start with `typed`. Same rule as
 * cobra.
 */
export function suggest(typed: string, names: readonly string[]): readonly string[] {
  const wanted = typed.toLowerCase();
  return names.filter((name) => {
    const other = name.toLowerCase();
    return other.startsWith(wanted) || editDistance(wanted, other) <= farthest;
  });
}

/** The Levenshtein distance: how many insertions, deletions, and replacements turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of Array.from(a).entries()) {
    const current = [row + 1];
    for (const [column, other] of Array.from(b).entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const removed = (previous[column + 1] ?? 0) + 1;
      const inserted = (current[column] ?? 0) + 1;
      current.push(Math.min(replaced, removed, inserted));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
