import {
  draftOf,
  equalJson,
  isEmptyObject,
  type JsonDraft,
  type JsonObject,
  type JsonValue,
  setMember,
} from "@weir/base";
import { patchDirective } from "./directives.ts";
import { compareIds, type ItemId, itemIdBy, itemKindOf, requireMap } from "./list-items.ts";
import { sortLike } from "./list-order.ts";

/** The changes that a patch makes to a merged list; empty lists are omitted. */
export interface ListDifference {
  /** The items to add or merge, in the order of the new list; deletions of maps at the end. */
  readonly items: readonly JsonValue[];
  /** The scalars to remove. */
  readonly deleted: readonly JsonValue[];
  /** The order of the items. */
  readonly order: readonly JsonValue[];
}

type DiffItem = (original: JsonObject, modified: JsonObject) => JsonDraft;

/** Which differences to find, and how to compare items. */
export interface ListDiffOptions {
  readonly changes: boolean;
  readonly deletions: boolean;
  /** The field that identifies maps. */
  readonly mergeKey: string;
  readonly diffItem: DiffItem;
}

type Wanted = Pick<ListDiffOptions, "changes" | "deletions">;

const noDifference: ListDifference = { items: [], deleted: [], order: [] };

/**
 * The differences between two merged lists: of maps, matched by merge key, or of scalars. Throws PatchError.
 */
export function diffLists(
  original: readonly JsonValue[],
  modified: readonly JsonValue[],
  options: ListDiffOptions,
): ListDifference {
  if (original.length === 0) {
    return options.changes ? { ...noDifference, items: modified } : noDifference;
  }
  return itemKindOf(original, modified) === "map"
    ? diffKeyed(original, modified, options)
    : diffScalars(original, modified, options);
}

function diffKeyed(
  original: readonly JsonValue[],
  modified: readonly JsonValue[],
  { mergeKey, diffItem, ...wanted }: ListDiffOptions,
): ListDifference {
  const idOf = itemIdBy(mergeKey);
  const changed: JsonValue[] = [];
  const deleted: JsonValue[] = [];
  for (const { before, after } of pairById(original, modified, idOf)) {
    if (before === undefined) {
      changed.push(...(wanted.changes ? [after] : []));
    } else if (after === undefined) {
      deleted.push(...(wanted.deletions ? [deletionOf(mergeKey, idOf(before))] : []));
    } else {
      changed.push(...changeOf(diffItem(requireMap(before), requireMap(after)), mergeKey, idOf(after)));
    }
  }
  const items = [...sortLike(changed, modified, idOf), ...deleted];
  const isMoved = !equalJson(original.map(idOf), modified.map(idOf));
  const isOrdered = items.length > 0 || (wanted.changes && isMoved);
  return {
    items,
    deleted: [],
    order: isOrdered ? modified.map((item) => keyOnly(mergeKey, idOf(item))) : [],
  };
}

/** @NOTE as kubectl: the order is sent unless the new list is the old one sorted, even if they're equal. */
function diffScalars(
  original: readonly JsonValue[],
  modified: readonly JsonValue[],
  wanted: Wanted,
): ListDifference {
  const idOf = itemIdBy("");
  const pairs = pairById(original, modified, idOf);
  const added = pairs.flatMap(({ before, after }) => (before === undefined ? [after] : []));
  const gone = pairs.flatMap(({ before, after }) => (after === undefined ? [before] : []));
  const items = wanted.changes ? sortLike(added, modified, idOf) : [];
  const deleted = wanted.deletions ? [...new Set(gone)] : [];
  const isOrdered = deleted.length > 0 || (wanted.changes && !equalJson(sortById(original, idOf), modified));
  return { items, deleted, order: isOrdered ? modified : [] };
}

/** Matching items of two lists; if an ID appears more than once, in order. */
type Pair =
  | { readonly before: JsonValue; readonly after: JsonValue }
  | { readonly before: JsonValue; readonly after: undefined }
  | { readonly before: undefined; readonly after: JsonValue };

function pairById(
  original: readonly JsonValue[],
  modified: readonly JsonValue[],
  idOf: (item: JsonValue) => ItemId,
): Pair[] {
  const olds = sortById(original, idOf);
  const news = sortById(modified, idOf);
  const pairs: Pair[] = [];
  let oldIndex = 0;
  let newIndex = 0;
  for (;;) {
    const before = olds[oldIndex];
    const after = news[newIndex];
    if (before !== undefined && (after === undefined || compareIds(idOf(before), idOf(after)) < 0)) {
      pairs.push({ before, after: undefined });
      oldIndex++;
    } else if (after !== undefined && (before === undefined || compareIds(idOf(before), idOf(after)) > 0)) {
      pairs.push({ before: undefined, after });
      newIndex++;
    } else if (before !== undefined && after !== undefined) {
      pairs.push({ before, after });
      oldIndex++;
      newIndex++;
    } else {
      return pairs;
    }
  }
}

/**
 * Sorts by ID. @NOTE as kubectl: items with the same ID come out in reverse, so for a list with the ports
 * 53/UDP and 53/TCP, the last one is compared with the last one of the other list.
 */
function sortById(list: readonly JsonValue[], idOf: (item: JsonValue) => ItemId): JsonValue[] {
  return list.toReversed().sort((a, b) => compareIds(idOf(a), idOf(b)));
}

function changeOf(difference: JsonDraft, mergeKey: string, id: ItemId): JsonObject[] {
  if (isEmptyObject(difference)) {
    return [];
  }
  setMember(difference, mergeKey, id);
  return [difference];
}

function deletionOf(mergeKey: string, id: ItemId): JsonObject {
  const item = draftOf(keyOnly(mergeKey, id));
  setMember(item, patchDirective, "delete");
  return item;
}

function keyOnly(mergeKey: string, id: ItemId): JsonObject {
  const item: JsonDraft = {};
  setMember(item, mergeKey, id);
  return item;
}
