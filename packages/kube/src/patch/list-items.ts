import {
  compareGoStrings,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
} from "@weir/base";
import { PatchError } from "./patch-error.ts";

/** The type of a JSON value. */
export type JsonKind = "null" | "boolean" | "number" | "string" | "list" | "map";

/** A scalar that identifies an item. */
export type ItemId = string | number | boolean | null;

/** The type of a value. */
export function kindOf(value: JsonValue): JsonKind {
  if (value === null) {
    return "null";
  }
  if (typeof value === "object") {
    return isJsonArray(value) ? "list" : "map";
  }
  return typeof value === "string" ? "string" : typeof value === "number" ? "number" : "boolean";
}

/**
 * Whether the items of these lists, which are to be merged, are all maps or all scalars of one type. Throws
 * PatchError for anything else: mixed types, lists of lists, nulls, or no items at all.
 */
export function itemKindOf(...lists: readonly (readonly JsonValue[])[]): "map" | "scalar" {
  const kinds = new Set(lists.flatMap((list) => list.map(kindOf)));
  const [kind, ...others] = kinds;
  if (kind === undefined) {
    throw new PatchError("bad-object", "none of the lists to merge has items");
  }
  if (others.length > 0) {
    throw new PatchError("bad-object", `the items of merged lists differ in type: ${[...kinds].join(", ")}`);
  }
  if (kind === "list" || kind === "null") {
    throw new PatchError("bad-object", `a list of ${kind}s cannot be merged`);
  }
  return kind === "map" ? "map" : "scalar";
}

/**
 * Returns a function that identifies items: by their merge key, or scalars by value if the merge key is "".
 */
export function itemIdBy(mergeKey: string): (item: JsonValue) => ItemId {
  return mergeKey === "" ? scalarId : (item) => keyedId(item, mergeKey);
}

/** An item of a keyed list, as the map that it must be. Throws PatchError. */
export function requireMap(item: JsonValue): JsonObject {
  if (!isJsonObject(item)) {
    throw new PatchError("bad-object", `an item of a list merged by key is a ${kindOf(item)}, not a map`);
  }
  return item;
}

/** The order in which kubectl sorts items before it compares lists: by the scalars as Go prints them. */
export function compareIds(a: ItemId, b: ItemId): number {
  return compareGoStrings(printGo(a), printGo(b));
}

function printGo(id: ItemId): string {
  return id === null ? "<nil>" : String(id);
}

function scalarId(item: JsonValue): ItemId {
  if (typeof item === "object" && item !== null) {
    throw new PatchError("bad-object", `a list of ${kindOf(item)}s has no merge key to match its items by`);
  }
  return item;
}

function keyedId(item: JsonValue, mergeKey: string): ItemId {
  const map = requireMap(item);
  const id = memberOf(map, mergeKey);
  if (id === undefined) {
    const keys = Object.keys(map).join(", ");
    throw new PatchError(
      "bad-object",
      `map with keys [${keys}] does not contain declared merge key: ${mergeKey}`,
    );
  }
  if (typeof id === "object" && id !== null) {
    throw new PatchError("bad-object", `merge key ${mergeKey} must be a scalar, not a ${kindOf(id)}`);
  }
  return id;
}
