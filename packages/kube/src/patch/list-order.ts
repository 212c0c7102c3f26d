import type { JsonValue } from "@weir/base";
import { markOf } from "./directives.ts";
import type { ItemId } from "./list-items.ts";

type IdOf = (item: JsonValue) => ItemId;

/**
 * Sorts `items` in the order of their IDs in `model`; items that aren't in it follow in their own order, and
 * deletions come last.
 */
export function sortLike(items: readonly JsonValue[], model: readonly JsonValue[], idOf: IdOf): JsonValue[] {
  const places = placesOf(model, idOf);
  const placeOf = (item: JsonValue): number => places.get(idOf(item)) ?? model.length;
  const sorted = items.toSorted((a, b) => placeOf(a) - placeOf(b));
  return [...sorted.filter((item) => !isDeletion(item)), ...sorted.filter(isDeletion)];
}

/** A merged list, and the data that determines its order. */
export interface MergedList {
  /** All items, in any order. */
  readonly merged: readonly JsonValue[];
  readonly order: readonly JsonValue[];
  readonly live: readonly JsonValue[];
}

/**
 * Sorts a merged list: items of the patch are in the order of `order`; the others, which only the server has,
 * keep the order of `live` and are interleaved by their old positions, as far as both rules allow.
 */
export function weave({ merged, order, live }: MergedList, idOf: IdOf): JsonValue[] {
  const ordered = new Set(order.map(idOf));
  const isOrdered = (item: JsonValue): boolean => ordered.has(idOf(item));
  const fromPatch = sortLike(merged.filter(isOrdered), order, idOf);
  const fromServer = sortLike(
    merged.filter((item) => !isOrdered(item)),
    live,
    idOf,
  );
  return interleave(fromServer, fromPatch, placesOf(live, idOf), idOf);
}

/**
 * Inserts `left` into `right`: an item of `left` goes before the first item of `right` that is known to come
 * after it.
 */
function interleave(
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  places: ReadonlyMap<ItemId, number>,
  idOf: IdOf,
): JsonValue[] {
  const woven: JsonValue[] = [];
  let next = 0;
  for (const item of right) {
    const limit = places.get(idOf(item)) ?? -1;
    for (let other = left[next]; other !== undefined; other = left[next]) {
      const place = places.get(idOf(other));
      if (place === undefined || place >= limit) {
        break;
      }
      woven.push(other);
      next++;
    }
    woven.push(item);
  }
  return [...woven, ...left.slice(next)];
}

function isDeletion(item: JsonValue): boolean {
  return markOf(item) === "delete";
}

/** The first position of each ID in a list. */
function placesOf(list: readonly JsonValue[], idOf: IdOf): Map<ItemId, number> {
  const places = new Map<ItemId, number>();
  list.forEach((item, place) => {
    const id = idOf(item);
    if (!places.has(id)) {
      places.set(id, place);
    }
  });
  return places;
}
