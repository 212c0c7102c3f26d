import { equalJson, type JsonDraft, type JsonValue, memberOf, setMember } from "@weir/base";
import { elementOrderDirective, markOf, requireList } from "./directives.ts";
import { type ItemId, itemIdBy, itemKindOf } from "./list-items.ts";
import { weave } from "./list-order.ts";
import { PatchError } from "./patch-error.ts";

/** A list of an object, the patch for it, and the order in the patch. */
export interface OrderedList {
  readonly field: string;
  readonly live: JsonValue | undefined;
  readonly items: JsonValue | undefined;
  readonly order: readonly JsonValue[];
  readonly mergeKey: string;
}

type MergeLists = (
  live: readonly JsonValue[] | undefined,
  items: readonly JsonValue[],
) => readonly JsonValue[];

/**
 * Merges the list with `merge` and sorts it in the order of the patch; undefined if the patch has none.
 * Throws PatchError if the items of the patch aren't in the order of the directive.
 */
export function orderList(list: OrderedList, merge: MergeLists): readonly JsonValue[] | undefined {
  const live = list.live === undefined ? undefined : requireList(list.live, list.field);
  const items = list.items === undefined ? undefined : requireList(list.items, list.field);
  requireSameOrder(items ?? [], list);
  const merged = items === undefined ? live : merge(live, items);
  if (merged === undefined) {
    return undefined;
  }
  itemKindOf(live ?? [], items ?? []);
  const idOf = itemIdBy(list.mergeKey);
  const places = placesAfter(live ?? [], items ?? [], idOf);
  return weave({ merged, order: list.order, live: places }, idOf);
}

/** Copies the directive to another patch. Throws PatchError if that patch has a different order. */
export function carryElementOrder(result: JsonDraft, key: string, order: readonly JsonValue[]): void {
  const there = memberOf(result, key);
  if (there !== undefined && !equalJson(there, order)) {
    throw new PatchError("bad-patch", `two patches differ in ${key}`);
  }
  setMember(result, key, order);
}

/**
 * The positions by which items that only the server has are interleaved: those of the live list. @NOTE as the
 * API server: if the patch removes items, the first of the items that it adds take the positions that became
 * free at the end, so that other items can end up before them.
 */
function placesAfter(
  live: readonly JsonValue[],
  items: readonly JsonValue[],
  idOf: (item: JsonValue) => ItemId,
): readonly JsonValue[] {
  const deleted = new Set(items.filter((item) => markOf(item) === "delete").map(idOf));
  const kept = live.filter((item) => !deleted.has(idOf(item)));
  const there = new Set(kept.map(idOf));
  const added = items.filter((item) => markOf(item) === undefined && !there.has(idOf(item)));
  return [...kept, ...added.slice(0, live.length - kept.length)];
}

/** The items that a patch adds or changes must be listed in its order, and be in that order. */
function requireSameOrder(items: readonly JsonValue[], list: OrderedList): void {
  const idOf = itemIdBy(list.mergeKey);
  const ids = items.filter((item) => markOf(item) === undefined).map(idOf);
  let next = 0;
  for (const listed of list.order) {
    next += next < ids.length && idOf(listed) === ids[next] ? 1 : 0;
  }
  if (next < ids.length && list.order.length > 0) {
    throw new PatchError(
      "bad-patch",
      `the order of the patch list ${list.field} doesn't match ${elementOrderDirective} (at ${String(ids[next])})`,
    );
  }
}
