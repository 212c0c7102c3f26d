import { isTree, type Tree, type TreeNode } from "../tree.ts";

const letters = "bcdfghjklmnpqrstvwxz2456789";
const offset = 0x811c9dc5;
const prime = 0x01000193;

/**
 * A short name for a template: the same for the same template, whatever the order of its keys. `collisions` is
 * counted up where two templates got the same. Like Kubernetes' own it is FNV in letters that form no words;
 * the values differ, for Kubernetes hashes what Go prints.
 */
export function templateHash(template: Tree, collisions: number): string {
  const text = JSON.stringify(sorted(template)) + (collisions === 0 ? "" : String(collisions));
  let hash = offset;
  for (const byte of Buffer.from(text)) {
    hash = Math.imul(hash ^ byte, prime) >>> 0;
  }
  return String(hash).replace(/\d/g, (digit) => letters[digit.charCodeAt(0) % letters.length] ?? "b");
}

function sorted(node: TreeNode | undefined): TreeNode {
  if (Array.isArray(node)) {
    return node.map(sorted);
  }
  return isTree(node)
    ? Object.fromEntries(
        Object.keys(node)
          .sort()
          .map((key) => [key, sorted(node[key])]),
      )
    : (node ?? null);
}
