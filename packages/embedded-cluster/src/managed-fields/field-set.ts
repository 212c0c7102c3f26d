/** Sets of field paths: who owns which fields of an object. Never changed once made, but by their builder. */
import { isTree, type Tree, type TreeNode } from "../tree.ts";
import { type PathElement, parseElement } from "./path-element.ts";

/** A set of paths: those of one step, and by first step the rest of the longer ones. */
export interface FieldSet {
  readonly members: ReadonlySet<PathElement>;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

/** No path. */
export const emptySet: FieldSet = { members: new Set(), children: new Map() };

/** Collects paths into a set. */
export class FieldSetBuilder implements FieldSet {
  readonly members = new Set<PathElement>();
  readonly children = new Map<PathElement, FieldSetBuilder>();

  add(path: readonly PathElement[]): void {
    this.#addFrom(path, 0);
  }

  #addFrom(path: readonly PathElement[], at: number): void {
    const element = path[at];
    if (element === undefined) {
      return;
    }
    if (at === path.length - 1) {
      this.members.add(element);
    } else {
      this.#descend(element).#addFrom(path, at + 1);
    }
  }

  #descend(element: PathElement): FieldSetBuilder {
    const found = this.children.get(element);
    if (found !== undefined) {
      return found;
    }
    const made = new FieldSetBuilder();
    this.children.set(element, made);
    return made;
  }
}

/** The set of some paths. */
export function setOf(paths: Iterable<readonly PathElement[]>): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) {
    builder.add(path);
  }
  return builder;
}

export function isEmptySet(set: FieldSet): boolean {
  return set.members.size === 0 && [...set.children.values()].every(isEmptySet);
}

/** The paths that are in either. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map(a.children);
  for (const [element, child] of b.children) {
    const other = children.get(element);
    children.set(element, other === undefined ? child : union(other, child));
  }
  return { members: new Set([...a.members, ...b.members]), children };
}

/** The paths that are in both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    if (other !== undefined) {
      addChild(children, element, intersection(child, other));
    }
  }
  return { members: pick(a.members, (element) => b.members.has(element)), children };
}

/** The paths of `a` that are not in `b`; a path stays though one above it is in `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    addChild(children, element, other === undefined ? child : difference(child, other));
  }
  return { members: pick(a.members, (element) => !b.members.has(element)), children };
}

/** The paths of `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of a.children) {
    if (!b.members.has(element)) {
      const other = b.children.get(element);
      addChild(children, element, other === undefined ? child : recursiveDifference(child, other));
    }
  }
  return { members: pick(a.members, (element) => !b.members.has(element)), children };
}

/** True where the path itself is in the set. */
export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined) {
    return false;
  }
  const child = set.children.get(first);
  return rest.length === 0 ? set.members.has(first) : child !== undefined && hasPath(child, rest);
}

/** All paths, those of a level before those below it, in the order of their texts. */
export function* pathsOf(
  set: FieldSet,
  prefix: readonly PathElement[] = [],
): Generator<readonly PathElement[]> {
  for (const element of [...set.members].sort()) {
    yield [...prefix, element];
  }
  for (const [element, child] of [...set.children].sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield* pathsOf(child, [...prefix, element]);
  }
}

/** The set as managedFields keep it (FieldsV1). */
export function printFields(set: FieldSet): Tree {
  const fields: Tree = {};
  for (const element of [...new Set([...set.members, ...set.children.keys()])].sort()) {
    const child = set.children.get(element);
    const below = child === undefined || isEmptySet(child) ? {} : printFields(child);
    const isBoth = set.members.has(element) && Object.keys(below).length > 0;
    fields[element] = isBoth ? { ".": {}, ...below } : below;
  }
  return fields;
}

/** Reads FieldsV1; undefined where it is not well formed. */
export function parseFields(fields: TreeNode | undefined): FieldSet | undefined {
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  for (const [key, value] of Object.entries(isTree(fields) ? fields : {})) {
    const element = parseElement(key);
    const below = key === "." ? emptySet : parseFields(value);
    if ((element === undefined && key !== ".") || !isTree(value) || below === undefined) {
      return undefined;
    }
    if (element !== undefined) {
      if (Object.keys(value).length === 0 || Object.hasOwn(value, ".")) {
        members.add(element);
      }
      addChild(children, element, below);
    }
  }
  return { members, children };
}

function pick(
  members: ReadonlySet<PathElement>,
  isWanted: (element: PathElement) => boolean,
): ReadonlySet<PathElement> {
  return new Set([...members].filter(isWanted));
}

function addChild(children: Map<PathElement, FieldSet>, element: PathElement, child: FieldSet): void {
  if (!isEmptySet(child)) {
    children.set(element, child);
  }
}
