import { isTree, type TreeNode } from "../tree.ts";
import { type FieldSet, FieldSetBuilder } from "./field-set.ts";
import { elementOfItem, indexItems } from "./list-items.ts";
import { type Atom, formOf, type ListAtom, type MapAtom } from "./merge-schema.ts";
import { fieldElement, type PathElement } from "./path-element.ts";

/** All fields that an object sets: what an applier of it owns. */
export function ownedFields(atom: Atom, value: TreeNode): FieldSet {
  const builder = new FieldSetBuilder();
  collect(builder, atom, value, []);
  return builder;
}

type Path = readonly PathElement[];

function collect(set: FieldSetBuilder, atom: Atom, value: TreeNode, path: Path): void {
  const form = formOf(atom, value);
  if (form.map !== undefined) {
    collectMap(set, form.map, value, path);
  } else if (form.list !== undefined && form.scalar === undefined) {
    collectList(set, form.list, value, path);
  } else {
    set.add(path);
  }
}

function collectMap(set: FieldSetBuilder, map: MapAtom, value: TreeNode, path: Path): void {
  if (map.atomic) {
    set.add(path);
    return;
  }
  for (const [key, item] of Object.entries(isTree(value) ? value : {})) {
    const declared = map.field(key);
    const inner = [...path, fieldElement(key)];
    const atom = declared ?? map.values();
    if (item !== undefined && atom !== undefined) {
      collect(set, atom, item, inner);
      if (declared === undefined || item === null || (isTree(item) && Object.keys(item).length === 0)) {
        set.add(inner);
      }
    }
  }
}

function collectList(set: FieldSetBuilder, list: ListAtom, value: TreeNode, path: Path): void {
  if (list.atomic) {
    set.add(path);
    return;
  }
  const items = Array.isArray(value) ? value : [];
  const index = indexItems(list, items);
  for (const item of items) {
    const found = elementOfItem(list, item);
    if ("element" in found) {
      const inner = [...path, found.element];
      // Of an item that is there twice, only the item as a whole can be owned.
      if (index.get(found.element)?.length === 1) {
        collect(set, list.items(), item, inner);
      }
      set.add(inner);
    }
  }
}
