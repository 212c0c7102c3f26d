import type { JsonObject, JsonValue } from "@weir/base";
import { markOf } from "./directives.ts";
import { type ItemId, itemIdBy, itemKindOf, requireMap } from "./list-items.ts";
import { weave } from "./list-order.ts";
import { PatchError } from "./patch-error.ts";

/** Merges a patch item into the live item with the same ID; undefined if there is none. */
type MergeItem = (live: JsonObject | undefined, patch: JsonObject) => JsonObject;

/** How to identify and merge list items. */
export interface ListMerge {
  /** "" if the list has none. */
  readonly mergeKey: string;
  readonly mergeItem: MergeItem;
}

/**
 * Merges the items of a patch into a list: maps by their merge key, scalars as a set. The items of the patch
 * are in its order. Throws PatchError if items have different types or lack their merge key.
 */
export function mergeLists(
  live: readonly JsonValue[],
  items: readonly JsonValue[],
  { mergeKey, mergeItem }: ListMerge,
): readonly JsonValue[] {
  if (live.length === 0 && items.length === 0) {
    return live;
  }
  if (itemKindOf(live, items) === "scalar") {
    return weave({ merged: [...new Set([...live, ...items])], order: items, live }, itemIdBy(""));
  }
  if (mergeKey === "") {
    throw new PatchError("bad-object", "cannot merge lists of maps without a merge key");
  }
  return mergeKeyed(live, items, mergeKey, mergeItem);
}

/** The scalars of a list that aren't in `unwanted`. Throws PatchError for other lists. */
export function withoutScalars(
  list: readonly JsonValue[],
  unwanted: readonly JsonValue[],
): readonly JsonValue[] {
  const gone = new Set(unwanted.map(itemIdBy("")));
  return list.filter((item) => !gone.has(itemIdBy("")(item)));
}

function mergeKeyed(
  live: readonly JsonValue[],
  items: readonly JsonValue[],
  mergeKey: string,
  mergeItem: MergeItem,
): readonly JsonValue[] {
  const idOf = itemIdBy(mergeKey);
  const marked = items.filter(isMarked);
  marked.forEach(requireKnownMark);
  const plain = items.filter((item) => !isMarked(item));
  const deleted = new Set(marked.filter((item) => markOf(item) === "delete").map(idOf));
  if (marked.some((item) => markOf(item) === "replace")) {
    return plain;
  }
  const kept = live.filter((item) => !deleted.has(idOf(item)));
  return weave({ merged: mergeItems(kept, plain, idOf, mergeItem), order: plain, live: kept }, idOf);
}

/** Merges each patch item into the first item with its ID, or appends it. */
function mergeItems(
  live: readonly JsonValue[],
  items: readonly JsonValue[],
  idOf: (item: JsonValue) => ItemId,
  mergeItem: MergeItem,
): JsonValue[] {
  const merged = [...live];
  const places = new Map<ItemId, number>();
  merged.forEach((item, place) => {
    places.set(idOf(item), Math.min(place, places.get(idOf(item)) ?? place));
  });
  for (const item of items) {
    const place = places.get(idOf(item));
    const before = place === undefined ? undefined : merged[place];
    if (place === undefined || before === undefined) {
      places.set(idOf(item), merged.push(mergeItem(undefined, requireMap(item))) - 1);
    } else {
      merged[place] = mergeItem(requireMap(before), requireMap(item));
    }
  }
  return merged;
}

function isMarked(item: JsonValue): boolean {
  return markOf(item) !== undefined;
}

/** Throws PatchError for a directive that lists don't support. */
function requireKnownMark(item: JsonValue): void {
  const mark = markOf(item);
  if (mark !== "delete" && mark !== "replace") {
    throw new PatchError("bad-patch", `unknown patch type: ${JSON.stringify(mark)} of an item of a list`);
  }
}
