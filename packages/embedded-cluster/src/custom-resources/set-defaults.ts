import { isJsonObject, type JsonObject } from "@weir/base";
import { cloneNode, drop, isTree, put, type Tree, type TreeNode } from "../tree.ts";
import { fieldOf, isMarked, itemsOf } from "./schema-walk.ts";

/**
 * Fills in the defaults of a schema; changes the object in place. A null where none may be is taken for nothing:
 * it becomes the default, or goes.
 */
export function setSchemaDefaults(schema: JsonObject, object: Tree): void {
  for (const key of Object.keys(object)) {
    const field = fieldOf(schema, key);
    if (object[key] === null && field !== undefined && !isMarked(field, "nullable")) {
      drop(object, key);
    }
  }
  const properties = schema["properties"];
  for (const [key, field] of Object.entries(isJsonObject(properties) ? properties : {})) {
    const value = isJsonObject(field) ? field["default"] : undefined;
    if (value !== undefined && !Object.hasOwn(object, key)) {
      // Schemas are JSON, and so is their default.
      put(object, key, cloneNode(value as TreeNode));
    }
  }
  for (const [key, value] of Object.entries(object)) {
    visit(fieldOf(schema, key), value);
  }
}

function visit(schema: JsonObject | undefined, node: TreeNode | undefined): void {
  if (schema !== undefined && isTree(node)) {
    setSchemaDefaults(schema, node);
  }
  const items = schema === undefined ? undefined : itemsOf(schema);
  if (items !== undefined && Array.isArray(node)) {
    for (const item of node) {
      visit(items, item);
    }
  }
}
