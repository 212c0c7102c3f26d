import { MalformedFileError } from "../errors.ts";
import { Branch, SopsNumber, type TreeValue } from "../tree.ts";

const separator = /__(map|list)_/;

/** The largest index of a list, far beyond any list of keys. */
const largestIndex = 999;

/** A mapping or list that's being rebuilt. */
type Node = Map<string, Node | string>;

/**
 * Rebuilds the metadata from the flat keys of an env or ini file: `pgp__list_0__map_fp` is the field `fp` of the first
 * item of the list `pgp`.
 */
export function unflattenMetadata(entries: readonly (readonly [key: string, text: string])[]): Branch {
  const root: Node = new Map();
  for (const [key, text] of entries) {
    setAt(root, pathOf(key), text.replaceAll("\\n", "\n"));
  }
  const { items } = toBranch(root);
  return new Branch(items.map(({ key, value }) => ({ key, value: typed(key, value) })));
}

/** The steps to a value; an index of a list starts with `[`. */
function pathOf(key: string): readonly string[] {
  const [first = "", ...rest] = key.split(separator);
  const path = [first];
  for (let at = 0; at < rest.length; at += 2) {
    const name = rest[at + 1] ?? "";
    path.push(rest[at] === "list" ? `[${name}` : name);
  }
  return path;
}

function setAt(root: Node, path: readonly string[], text: string): void {
  let node = root;
  for (const step of path.slice(0, -1)) {
    const next = node.get(step) ?? new Map<string, Node | string>();
    if (typeof next === "string") {
      throw new MalformedFileError("the sops metadata contains a key that's a value and a collection");
    }
    node.set(step, next);
    node = next;
  }
  node.set(path.at(-1) ?? "", text);
}

function toValue(node: Node | string): TreeValue {
  if (typeof node === "string") {
    return node;
  }
  return [...node.keys()].some((key) => key.startsWith("[")) ? toList(node) : toBranch(node);
}

function toBranch(node: Node): Branch {
  return new Branch([...node].map(([key, value]) => ({ key, value: toValue(value) })));
}

function toList(node: Node): readonly TreeValue[] {
  return [...node]
    .map(([key, value]) => ({ index: indexOf(key), value }))
    .toSorted((a, b) => a.index - b.index)
    .map(({ value }) => toValue(value));
}

function indexOf(key: string): number {
  const index = Number(key.slice(1));
  if (!Number.isInteger(index) || index < 0 || index > largestIndex) {
    throw new MalformedFileError("the sops metadata contains a list with an invalid index");
  }
  return index;
}

/** Restores the values that aren't texts. */
function typed(key: unknown, value: TreeValue): TreeValue {
  if (key === "mac_only_encrypted") {
    return value === "true";
  }
  return key === "shamir_threshold" && typeof value === "string"
    ? new SopsNumber("float", Number(value))
    : value;
}
