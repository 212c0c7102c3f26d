import { isTree, own, type Tree, type TreeNode } from "../tree.ts";
import type { ListAtom } from "./merge-schema.ts";
import { keyElement, type PathElement, valueElement } from "./path-element.ts";

/** The step that leads to an item of a list that is not atomic, or what keeps the item from having one. */
export type ItemElement = { readonly element: PathElement } | { readonly fault: string };

/** Finds the step to an item: by its key fields, or by its value in a set. */
export function elementOfItem(list: ListAtom, item: TreeNode): ItemElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListAtom, item: TreeNode): ItemElement {
  if (item === null) {
    return { fault: "associative list with keys may not have a null element" };
  }
  if (!isTree(item)) {
    return { fault: "associative list with keys may not have non-map elements" };
  }
  const keys: Tree = {};
  for (const key of list.keys) {
    const value = own(item, key) ?? list.keyDefault(key);
    if (value !== undefined) {
      keys[key] = value;
    }
  }
  if (Object.keys(keys).length === 0) {
    const names = list.keys.map((key) => JSON.stringify(key)).join(" ");
    return {
      fault: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    };
  }
  return { element: keyElement(keys) };
}

function setElement(item: TreeNode): ItemElement {
  if (item === null) {
    return { fault: "associative list without keys has an element that's an explicit null" };
  }
  if (Array.isArray(item)) {
    return { fault: "not supported: associative list with lists as elements" };
  }
  if (isTree(item)) {
    return { fault: "associative list without keys has an element that's a map type" };
  }
  return { element: valueElement(item) };
}

/** The items of a list by their steps, in order; an item without a step is left out. */
export function indexItems(list: ListAtom, items: readonly TreeNode[]): Map<PathElement, TreeNode[]> {
  const index = new Map<PathElement, TreeNode[]>();
  for (const item of items) {
    const found = elementOfItem(list, item);
    if ("element" in found) {
      const same = index.get(found.element);
      if (same === undefined) {
        index.set(found.element, [item]);
      } else {
        same.push(item);
      }
    }
  }
  return index;
}
