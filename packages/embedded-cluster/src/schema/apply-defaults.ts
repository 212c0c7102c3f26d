import { isTree, own, put, type Tree, type TreeNode } from "../tree.ts";
import type { ApiField, ApiType, Shape } from "./api-types.ts";

/** Fills in what an object of a type leaves open; changes it in place. */
export type Defaulter = (object: Tree) => void;

/** The defaulters of types, by OpenAPI name. */
export type Defaulters = ReadonlyMap<string, Defaulter>;

/** Runs the defaulter of a type, then those of all that it holds, and sets the defaults that its schema names. */
export function applyDefaults(type: ApiType, object: Tree, defaulters: Defaulters): void {
  defaulters.get(type.name)?.(object);
  for (const field of type.fields) {
    const value = own(object, field.name);
    if (value === undefined || value === null || value === "") {
      setSchemaDefault(object, field);
    } else {
      visit(field.shape, value, defaulters);
    }
  }
}

function visit(shape: Shape, value: TreeNode, defaulters: Defaulters): void {
  if (shape.kind === "struct" && isTree(value)) {
    applyDefaults(shape.type, value, defaulters);
  } else if (shape.kind === "list" && Array.isArray(value)) {
    if (shape.items.kind !== "string") {
      for (const item of value) {
        visit(shape.items, item, defaulters);
      }
    }
  } else if (shape.kind === "map" && shape.values.kind === "struct" && isTree(value)) {
    for (const item of Object.values(value)) {
      visit(shape.values, item ?? null, defaulters);
    }
  }
}

/** A declared default of {} only says that a struct is always there, which decoding has seen to. */
function setSchemaDefault(object: Tree, field: ApiField): void {
  const value = field.schema["default"];
  // A field that is left out where it is empty is not there because it is empty by default.
  if (value === "" && field.omitEmpty) {
    return;
  }
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    put(object, field.name, value);
  }
}
