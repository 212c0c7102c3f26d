import type { JsonObject } from "@weir/base";
import { drop, isTree, type Tree, type TreeNode } from "../tree.ts";
import { fieldOf, isEmbedded, itemsOf, keepsUnknown } from "./schema-walk.ts";

const resourceFields = ["apiVersion", "kind", "metadata"];

/**
 * Removes from a custom resource what its schema does not know; changes it in place. Returns the paths of what
 * was removed.
 */
export function pruneUnknown(schema: JsonObject, object: Tree): readonly string[] {
  const removed: string[] = [];
  prune({ schema, isResource: true, removed }, object, "");
  return removed.sort();
}

interface Place {
  readonly schema: JsonObject;
  readonly isResource: boolean;
  readonly removed: string[];
}

function prune({ schema, isResource, removed }: Place, object: Tree, path: string): void {
  const isOpen = keepsUnknown(schema) || schema["additionalProperties"] === true;
  for (const key of Object.keys(object)) {
    const at = path === "" ? key : `${path}.${key}`;
    if (isResource && resourceFields.includes(key)) {
      continue;
    }
    const field = fieldOf(schema, key);
    if (field !== undefined) {
      visit({ schema: field, isResource: isEmbedded(field), removed }, object[key], at);
    } else if (!isOpen) {
      removed.push(at);
      drop(object, key);
    }
  }
}

function visit(place: Place, node: TreeNode | undefined, path: string): void {
  if (isTree(node)) {
    // A schema that says nothing of an object's fields, being of another type, lets nothing through.
    prune(place, node, path);
    return;
  }
  const items = itemsOf(place.schema);
  if (Array.isArray(node) && items !== undefined) {
    node.forEach((item, index) =>
      visit(
        { schema: items, isResource: isEmbedded(items), removed: place.removed },
        item,
        `${path}[${index}]`,
      ),
    );
  }
}
