import { isTree, type TreeNode } from "../tree.ts";
import { elementOfItem } from "./list-items.ts";
import { type Atom, formOf, type ListAtom, type MapAtom } from "./merge-schema.ts";
import { fieldElement, type PathElement, printPath } from "./path-element.ts";

/** What keeps a configuration from being of its type, one line a fault, in the words of the API server. */
export function checkTyped(atom: Atom, value: TreeNode): readonly string[] {
  const faults: string[] = [];
  check(faults, atom, value, []);
  return faults;
}

/** The faults as one text, as the API server joins them. */
export function printFaults(faults: readonly string[]): string {
  const [only = ""] = faults;
  return faults.length === 1 ? only : ["errors:", ...faults.map((fault) => `  ${fault}`)].join("\n");
}

type Path = readonly PathElement[];

function check(faults: string[], atom: Atom, value: TreeNode, path: Path): void {
  const form = formOf(atom, value);
  if (value === null) {
    return;
  }
  if (form.map !== undefined) {
    checkMap(faults, form.map, value, path);
  } else if (form.scalar !== undefined) {
    const fault = scalarFault(form.scalar, value);
    if (fault !== undefined) {
      add(faults, path, fault);
    }
  } else if (form.list !== undefined) {
    checkList(faults, form.list, value, path);
  }
}

function checkMap(faults: string[], map: MapAtom, value: TreeNode, path: Path): void {
  if (!isTree(value)) {
    add(faults, path, `expected map, got &{${printGo(value)}}`);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    const atom = map.field(key) ?? map.values();
    const inner = [...path, fieldElement(key)];
    if (atom === undefined) {
      add(faults, inner, "field not declared in schema");
      return;
    }
    check(faults, atom, item ?? null, inner);
  }
}

function checkList(faults: string[], list: ListAtom, value: TreeNode, path: Path): void {
  if (!Array.isArray(value)) {
    add(faults, path, `expected list, got &{${printGo(value)}}`);
    return;
  }
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    const found = list.atomic ? { element: `i:${index}` } : elementOfItem(list, item);
    if ("fault" in found) {
      add(faults, path, `element ${index}: ${found.fault}`);
      return;
    }
    if (seen.has(found.element)) {
      add(faults, path, `duplicate entries for key ${printPath([found.element])}`);
    }
    seen.add(found.element);
    check(faults, list.items(), item, [...path, found.element]);
  }
}

function scalarFault(scalar: NonNullable<Atom["scalar"]>, value: TreeNode): string | undefined {
  switch (scalar) {
    case "numeric":
      return typeof value === "number" ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case "string":
      return typeof value === "string"
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${printGoSyntax(value)}}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected boolean, got &{${printGo(value)}}`;
    case "untyped":
      return typeof value !== "object" ? undefined : `expected any scalar, got &{${printGo(value)}}`;
  }
}

function add(faults: string[], path: Path, fault: string): void {
  faults.push(path.length === 0 ? fault : `${printPath(path)}: ${fault}`);
}

function goType(value: TreeNode): string {
  if (Array.isArray(value)) {
    return "[]interface {}";
  }
  return isTree(value) ? "map[string]interface {}" : typeof value === "boolean" ? "bool" : typeof value;
}

/** As Go's %v prints decoded JSON. */
export function printGo(value: TreeNode): string {
  if (Array.isArray(value)) {
    return `[${value.map(printGo).join(" ")}]`;
  }
  if (isTree(value)) {
    const keys = Object.keys(value).sort();
    return `map[${keys.map((key) => `${key}:${printGo(value[key] ?? null)}`).join(" ")}]`;
  }
  return value === null ? "<nil>" : String(value);
}

/** As Go's %#v prints decoded JSON. */
function printGoSyntax(value: TreeNode): string {
  if (Array.isArray(value)) {
    return `[]interface {}{${value.map(printGoSyntax).join(", ")}}`;
  }
  if (isTree(value)) {
    const keys = Object.keys(value).sort();
    const items = keys.map((key) => `${JSON.stringify(key)}:${printGoSyntax(value[key] ?? null)}`);
    return `map[string]interface {}{${items.join(", ")}}`;
  }
  return typeof value === "string"
    ? JSON.stringify(value)
    : value === null
      ? "interface {}(nil)"
      : String(value);
}
