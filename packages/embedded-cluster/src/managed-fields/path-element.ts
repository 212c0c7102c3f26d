/**
 * One step of a path to a field, in the form in which managedFields keep it: "f:" and a name, "k:" and the key
 * fields of a list item as JSON, "v:" and the value of a set's item as JSON.
 */
import { isTree, type Tree, type TreeNode } from "../tree.ts";

/** A step as text; equal steps are equal texts. */
export type PathElement = string;

/** The step to a field or a map's key. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** The step to the item of a list that has these key fields. */
export function keyElement(keys: Tree): PathElement {
  return `k:${JSON.stringify(sortKeys(keys))}`;
}

/** The step to the item of a set. */
export function valueElement(value: TreeNode): PathElement {
  return `v:${JSON.stringify(value)}`;
}

/** A step read from managedFields that a client sent, in its one form; undefined where it is no step. */
export function parseElement(text: string): PathElement | undefined {
  if (text.startsWith("f:") || /^i:-?\d+$/.test(text)) {
    return text;
  }
  const value = parseValue(text.slice(2));
  if (text.startsWith("v:") && value !== undefined) {
    return valueElement(value);
  }
  return text.startsWith("k:") && isTree(value) ? keyElement(value) : undefined;
}

/** A path as errors show it, e.g. `.spec.template.spec.containers[name="app"].image`. */
export function printPath(path: readonly PathElement[]): string {
  return path.map(printElement).join("");
}

/** A step as errors show it. */
export function printElement(element: PathElement): string {
  const rest = element.slice(2);
  if (element.startsWith("f:")) {
    return `.${rest}`;
  }
  if (element.startsWith("i:")) {
    return `[${rest}]`;
  }
  const value = parseValue(rest);
  if (element.startsWith("k:") && isTree(value)) {
    return `[${Object.entries(value)
      .map(([key, one]) => `${key}=${JSON.stringify(one)}`)
      .join(",")}]`;
  }
  return `[=${rest}]`;
}

function sortKeys(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function parseValue(json: string): TreeNode | undefined {
  try {
    const value: unknown = JSON.parse(json);
    // Whatever JSON.parse returns is a tree's node.
    return value as TreeNode;
  } catch {
    return undefined;
  }
}
