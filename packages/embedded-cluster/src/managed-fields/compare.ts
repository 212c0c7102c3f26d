import { equalNodes, isTree, own, type TreeNode } from "../tree.ts";
import { type FieldSet, FieldSetBuilder, recursiveDifference } from "./field-set.ts";
import { indexItems } from "./list-items.ts";
import { type Atom, formOf, type ListAtom, type MapAtom } from "./merge-schema.ts";
import { fieldElement, type PathElement } from "./path-element.ts";

/** In which fields two objects differ. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Compares an object with a later version of it, field by field as the type says. */
export function compareTyped(atom: Atom, before: TreeNode, after: TreeNode): Comparison {
  const comparer = new Comparer();
  comparer.compare(atom, before, after, []);
  return comparer;
}

/** A comparison without certain fields and what is below them. */
export function withoutFields({ removed, modified, added }: Comparison, ignored: FieldSet): Comparison {
  return {
    removed: recursiveDifference(removed, ignored),
    modified: recursiveDifference(modified, ignored),
    added: recursiveDifference(added, ignored),
  };
}

type Path = readonly PathElement[];
type Side = TreeNode | undefined;

class Comparer implements Comparison {
  readonly removed = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly added = new FieldSetBuilder();

  compare(atom: Atom, before: Side, after: Side, path: Path): void {
    const isLeaf = this.#visit(atom, before, after, path);
    if (!isLeaf) {
      if (before === undefined) {
        this.added.add(path);
      } else if (after === undefined) {
        this.removed.add(path);
      }
    }
  }

  /** True where the value was compared as a whole. */
  #visit(atom: Atom, before: Side, after: Side, path: Path): boolean {
    const old = formOf(atom, before);
    const now = formOf(atom, after);
    if (after === undefined || before === undefined || isSameForm(old, now)) {
      return this.#asForm(after === undefined ? old : now, before, after, path);
    }
    this.#leaf(before, after, path);
    return true;
  }

  #asForm(form: Atom, before: Side, after: Side, path: Path): boolean {
    if (form.map !== undefined) {
      return this.#map(form.map, before, after, path);
    }
    if (form.list !== undefined && form.scalar === undefined) {
      return this.#list(form.list, before, after, path);
    }
    this.#leaf(before, after, path);
    return true;
  }

  #map(map: MapAtom, before: Side, after: Side, path: Path): boolean {
    const old = isTree(before) ? before : {};
    const now = isTree(after) ? after : {};
    const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
    if (map.atomic || keys.size === 0) {
      this.#leaf(before, after, path);
      return true;
    }
    for (const key of keys) {
      const atom = map.field(key) ?? map.values();
      if (atom !== undefined) {
        this.compare(atom, own(old, key), own(now, key), [...path, fieldElement(key)]);
      }
    }
    return false;
  }

  #list(list: ListAtom, before: Side, after: Side, path: Path): boolean {
    const old = Array.isArray(before) ? before : [];
    const now = Array.isArray(after) ? after : [];
    if (list.atomic || (old.length === 0 && now.length === 0)) {
      this.#leaf(before, after, path);
      return true;
    }
    const oldItems = indexItems(list, old);
    const nowItems = indexItems(list, now);
    for (const element of new Set([...oldItems.keys(), ...nowItems.keys()])) {
      const inner = [...path, element];
      this.#items(list, oldItems.get(element) ?? [], nowItems.get(element) ?? [], inner);
    }
    return false;
  }

  /** The items under one key: mostly one on each side; several only where a key is there twice. */
  #items(list: ListAtom, old: readonly TreeNode[], now: readonly TreeNode[], path: Path): void {
    if (old.length <= 1 && now.length <= 1) {
      this.compare(list.items(), old[0], now[0], path);
    } else if (old.length > 1 && now.length > 1) {
      if (!equalNodes([...old], [...now])) {
        this.modified.add(path);
      }
    } else if (old.length > 1) {
      if (now.length > 0) {
        this.compare(list.items(), undefined, now[0], path);
      }
      this.removed.add(path);
    } else {
      if (old.length > 0) {
        this.compare(list.items(), old[0], undefined, path);
      }
      this.added.add(path);
    }
  }

  #leaf(before: Side, after: Side, path: Path): void {
    if (before === undefined) {
      this.added.add(path);
    } else if (after === undefined) {
      this.removed.add(path);
    } else if (!equalNodes(before, after)) {
      this.modified.add(path);
    }
  }
}

function isSameForm(a: Atom, b: Atom): boolean {
  return a.map === b.map && a.list === b.list && a.scalar === b.scalar;
}
