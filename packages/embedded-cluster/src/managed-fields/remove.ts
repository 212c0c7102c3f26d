import { isTree, put, type Tree, type TreeNode } from "../tree.ts";
import { type FieldSet, isEmptySet } from "./field-set.ts";
import { elementOfItem } from "./list-items.ts";
import { type Atom, formOf, type ListAtom, type MapAtom } from "./merge-schema.ts";
import { fieldElement, type PathElement } from "./path-element.ts";

/** An object without the fields and items of a set; what becomes empty by that goes too. */
export function removeFields(atom: Atom, value: TreeNode, gone: FieldSet): TreeNode {
  const form = formOf(atom, value);
  if (form.map !== undefined) {
    return removeFromMap(form.map, value, gone);
  }
  return form.list !== undefined && form.scalar === undefined
    ? removeFromList(form.list, value, gone)
    : value;
}

/** The fields of a set with those above them that the type declares, so that removing takes the empty rest too. */
export function withNamedParents(atom: Atom | undefined, set: FieldSet): FieldSet {
  const members = new Set(set.members);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const inner = descend(atom, element);
    if (inner.declared) {
      members.add(element);
    }
    children.set(element, withNamedParents(inner.atom, child));
  }
  return { members, children };
}

function descend(
  atom: Atom | undefined,
  element: PathElement,
): { declared: boolean; atom: Atom | undefined } {
  if (!element.startsWith("f:")) {
    return { declared: false, atom: atom?.list?.items() };
  }
  const field = atom?.map?.field(element.slice(2));
  return { declared: field !== undefined, atom: field ?? atom?.map?.values() };
}

function removeFromMap(map: MapAtom, value: TreeNode, gone: FieldSet): TreeNode {
  if (!isTree(value) || Object.keys(value).length === 0 || map.atomic) {
    return null;
  }
  const kept: Tree = {};
  for (const [key, item] of Object.entries(value)) {
    const element = fieldElement(key);
    if (item !== undefined && !gone.members.has(element)) {
      put(kept, key, removeBelow(map.field(key) ?? map.values(), item, gone.children.get(element)));
    }
  }
  return Object.keys(kept).length === 0 ? null : kept;
}

function removeFromList(list: ListAtom, value: TreeNode, gone: FieldSet): TreeNode {
  if (!Array.isArray(value) || value.length === 0 || list.atomic) {
    return null;
  }
  const kept: TreeNode[] = [];
  for (const item of value) {
    const found = elementOfItem(list, item);
    const element = "element" in found ? found.element : "";
    if (!gone.members.has(element)) {
      kept.push(removeBelow(list.items(), item, gone.children.get(element)));
    }
  }
  return kept.length === 0 ? null : kept;
}

function removeBelow(atom: Atom | undefined, item: TreeNode, gone: FieldSet | undefined): TreeNode {
  const isTouched = gone !== undefined && !isEmptySet(gone) && atom !== undefined;
  return isTouched ? removeFields(atom, item, gone) : item;
}
