/**
 * Objects while a request works on them. Decoding makes a tree that belongs to the request alone; defaulting
 * and preparing change it in place; storing turns it into bytes that nobody changes any more.
 */
import { deleteMember, equalJson, memberOf, setMember } from "@weir/base";

/** A node of a tree: JSON that may be changed in place. */
export type TreeNode = string | number | boolean | null | TreeNode[] | Tree;

/** A JSON object that may be changed in place. */
export interface Tree {
  [key: string]: TreeNode | undefined;
}

/** True for an object: not null, not a list. */
export function isTree(node: unknown): node is Tree {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}

/** An own property. Keys come from clients: "constructor" or "__proto__" must not find what JavaScript brings. */
export function own(tree: Tree, key: string): TreeNode | undefined {
  return memberOf(tree, key);
}

/** Sets a property whatever its name: assigning to "__proto__" would change the prototype instead. */
export function put(tree: Tree, key: string, value: TreeNode): void {
  setMember(tree, key, value);
}

/** A map as Go shows it: its keys in the order of the alphabet. */
export function inKeyOrder(map: Tree): Tree {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What stands at a path, or undefined where the path leads nowhere. */
export function nodeAt(root: TreeNode | undefined, ...path: readonly string[]): TreeNode | undefined {
  let node = root;
  for (const key of path) {
    node = isTree(node) ? own(node, key) : undefined;
  }
  return node;
}

/** The object at a path, or undefined. */
export function treeAt(root: TreeNode | undefined, ...path: readonly string[]): Tree | undefined {
  const node = nodeAt(root, ...path);
  return isTree(node) ? node : undefined;
}

/** The list at a path; an empty one where there is none. */
export function listAt(root: TreeNode | undefined, ...path: readonly string[]): TreeNode[] {
  const node = nodeAt(root, ...path);
  return Array.isArray(node) ? node : [];
}

/** The objects of the list at a path, other items left out. */
export function treesAt(root: TreeNode | undefined, ...path: readonly string[]): Tree[] {
  return listAt(root, ...path).filter(isTree);
}

/** The text at a path; "" where there is none, as an unset Go string reads. */
export function stringAt(root: TreeNode | undefined, ...path: readonly string[]): string {
  const node = nodeAt(root, ...path);
  return typeof node === "string" ? node : "";
}

/** The texts of the list at a path, other items left out. */
export function stringsAt(root: TreeNode | undefined, ...path: readonly string[]): string[] {
  return listAt(root, ...path).filter((item) => typeof item === "string");
}

/** The number at a path, or undefined. */
export function numberAt(root: TreeNode | undefined, ...path: readonly string[]): number | undefined {
  const node = nodeAt(root, ...path);
  return typeof node === "number" ? node : undefined;
}

/** True where the path leads to `true`. */
export function isTrueAt(root: TreeNode | undefined, ...path: readonly string[]): boolean {
  return nodeAt(root, ...path) === true;
}

/** The map of texts at a path, e.g. labels; values of other types are left out. */
export function stringMapAt(
  root: TreeNode | undefined,
  ...path: readonly string[]
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(treeAt(root, ...path) ?? {})) {
    if (typeof value === "string") {
      found.set(key, value);
    }
  }
  return found;
}

/** The object under a key, made empty where there is none. */
export function ensureTree(tree: Tree, key: string): Tree {
  const found = own(tree, key);
  if (isTree(found)) {
    return found;
  }
  const made: Tree = {};
  put(tree, key, made);
  return made;
}

/** Sets what is absent, null or "" : what a Go default sees as not set. */
export function setDefault(tree: Tree, key: string, value: TreeNode): void {
  const found = own(tree, key);
  if (found === undefined || found === null || found === "") {
    put(tree, key, value);
  }
}

/** Removes a key. */
export function drop(tree: Tree, key: string): void {
  deleteMember(tree, key);
}

/** Copies a field, or removes it where the source has none. */
export function copyField(from: Tree, to: Tree, field: string): void {
  const value = own(from, field);
  if (value === undefined) {
    drop(to, field);
  } else {
    put(to, field, value);
  }
}

/** A copy that shares nothing with the original. */
export function cloneNode<T extends TreeNode>(node: T): T {
  return structuredClone(node);
}

/** True where both say the same, whatever the order of keys; undefined equals undefined only. */
export function equalNodes(a: TreeNode | undefined, b: TreeNode | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalJson(a, b);
}

/** Like equalNodes, but nothing, null, {} and [] are the same: as Kubernetes compares for "is it changed". */
export function semanticallyEqual(a: TreeNode | undefined, b: TreeNode | undefined): boolean {
  if (isNothing(a) || isNothing(b)) {
    return isNothing(a) && isNothing(b);
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => semanticallyEqual(item, b[index]));
  }
  if (isTree(a) && isTree(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].every((key) => semanticallyEqual(own(a, key), own(b, key)));
  }
  return a === b;
}

function isNothing(node: TreeNode | undefined): boolean {
  return (
    node === undefined ||
    node === null ||
    (Array.isArray(node) && node.length === 0) ||
    (isTree(node) && Object.keys(node).length === 0)
  );
}
