import type { TreeNode } from "../../src/contract/workloads.ts";

/** An object of a tree, and how deep it is; roots have depth 0. */
export interface TreeRow {
  readonly node: TreeNode;
  readonly depth: number;
}

/** The objects of trees, each above what it owns. */
export function treeRows(roots: readonly TreeNode[], depth = 0): readonly TreeRow[] {
  return roots.flatMap((node) => [{ node, depth }, ...treeRows(node.children, depth + 1)]);
}

/** The pods in trees. */
export function podsOf(roots: readonly TreeNode[]): readonly TreeNode[] {
  return treeRows(roots)
    .map(({ node }) => node)
    .filter(({ kind }) => kind.toLowerCase() === "pod");
}
