import { drop, type Tree } from "../tree.ts";

/** Sets counts of a status. Those of nothing are left out, as in Go, but for the fields of `always`. */
export function setCounts(
  status: Tree,
  counts: Readonly<Record<string, number>>,
  always: readonly string[] = [],
): void {
  for (const [field, count] of Object.entries(counts)) {
    if (count === 0 && !always.includes(field)) {
      drop(status, field);
    } else {
      status[field] = count;
    }
  }
}
