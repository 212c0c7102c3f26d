import type { JsonObject } from "@weir/base";
import { duplicate, type FieldError } from "../field-errors.ts";
import { equalNodes, isTree, own, type Tree, type TreeNode } from "../tree.ts";
import { fieldOf, itemsOf, propertyOf } from "./schema-walk.ts";

/** Lists that are sets hold nothing twice, lists that are maps no two items with the same keys. */
export function checkLists(schema: JsonObject, value: TreeNode | undefined, path: string): FieldError[] {
  if (isTree(value)) {
    return Object.entries(value).flatMap(([key, item]) => {
      const field = fieldOf(schema, key);
      const at =
        propertyOf(schema, key) === undefined ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
      return field === undefined ? [] : checkLists(field, item, at);
    });
  }
  if (!Array.isArray(value)) {
    return [];
  }
  const items = itemsOf(schema);
  const inner =
    items === undefined ? [] : value.flatMap((item, index) => checkLists(items, item, `${path}[${index}]`));
  return [...checkUnique(schema, value, path), ...inner];
}

function checkUnique(schema: JsonObject, list: readonly TreeNode[], path: string): FieldError[] {
  const shown = identity(schema);
  if (shown === undefined) {
    return [];
  }
  const seen = list.map(shown);
  return seen.flatMap((one, index) =>
    seen.slice(0, index).some((other) => equalNodes(one, other)) ? [duplicate(`${path}[${index}]`, one)] : [],
  );
}

/** What tells the items of a list apart; undefined for lists without such a promise. */
function identity(schema: JsonObject): ((item: TreeNode) => TreeNode) | undefined {
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return (item) => item;
    case "map": {
      const keys = schema["x-kubernetes-list-map-keys"];
      const names = Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
      return (item) => keysOf(item, names);
    }
    default:
      return undefined;
  }
}

function keysOf(item: TreeNode, names: readonly string[]): Tree {
  const tree = isTree(item) ? item : {};
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(tree, name) ? [[name, own(tree, name)]] : [])),
  );
}
