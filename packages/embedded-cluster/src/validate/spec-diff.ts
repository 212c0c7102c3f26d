import type { TreeNode } from "../tree.ts";

const context = 3;

/**
 * What differs between two specs, for people: their JSON as a unified diff in one hunk. The API server shows the
 * same of its internal form, in which every field is spelt out.
 */
export function specDiff(before: TreeNode, now: TreeNode): string {
  const a = JSON.stringify(before, null, 1).split("\n");
  const b = JSON.stringify(now, null, 1).split("\n");
  const start = commonStart(a, b);
  const end = commonStart(a.slice(start).reverse(), b.slice(start).reverse());
  const from = Math.max(0, start - context);
  const [removed, added] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const after = a.slice(a.length - end, a.length - end + context);
  const size = start - from + after.length;
  return [
    `@@ -${from + 1},${size + removed.length} +${from + 1},${size + added.length} @@`,
    ...a.slice(from, start).map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...after.map((line) => ` ${line}`),
    "",
  ].join("\n");
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((line, at) => line !== b[at]);
  return index === -1 ? a.length : index;
}
