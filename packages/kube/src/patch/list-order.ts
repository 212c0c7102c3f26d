import type { JsonValue } from "@weir/base";
import { markOf } from "./directives.ts";
import type { ItemId } from "./list-items.ts";

type IdOf = (item: JsonValue) => ItemId;

/**
 * `items` in the order that their ids have in `model`; those it lacks come behind, in their own order, and items
 * that are themselves deletions come last.
 */
export function sortLike(items: readonly JsonValue[], model: readonly JsonValue[], idOf: IdOf): JsonValue[] {
  const places = placesOf(model, idOf);
  const placeOf = (item: JsonValue): number => places.get(idOf(item)) ?? model.length;
  const sorted = items.toSorted((a, b) => placeOf(a) - placeOf(b));
  return [...sorted.filter((item) => !isDeletion(item)), ...sorted.filter(isDeletion)];
}

/** A list that was merged, and what decides on its order. */
export interface MergedList {
  /** All items, in any order. */
  readonly merged: readonly JsonValue[];
  readonly order: readonly JsonValue[];
  readonly live: readonly JsonValue[];
}

/**
 * The order of a merged list: items of the patch stand as `order` has them, the others (those that only the
 * server knows) as they stood in `live`, woven in by their old places as far as both rules allow.
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

/** Puts `left` between `right`: an item of `left` goes before the first of `right` known to stand behind it. */
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

/** The first place of each id in a list. */
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
