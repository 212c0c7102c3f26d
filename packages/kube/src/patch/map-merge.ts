import {
  deleteMember,
  draftOf,
  isJsonArray,
  isJsonObject,
  type JsonDraft,
  type JsonObject,
  type JsonValue,
  memberOf,
  membersOf,
  setMember,
} from "@weir/base";
import {
  deleteItemsDirective,
  elementOrderDirective,
  fieldOfDirective,
  isDirectiveKey,
  patchDirective,
  requireList,
} from "./directives.ts";
import { carryElementOrder, orderList } from "./element-order.ts";
import { type FieldStrategy, strategyOf } from "./field-strategy.ts";
import { freshItems, freshMap, freshValue } from "./fresh-value.ts";
import { kindOf } from "./list-items.ts";
import { mergeLists, withoutScalars } from "./list-merge.ts";
import { PatchError } from "./patch-error.ts";
import type { PatchSchema } from "./patch-schema.ts";
import { applyRetainedKeys, carryRetainedKeys } from "./retain-keys.ts";

/**
 * The purpose of a merge: `apply` a patch to an object, or `combine` two patches into one, which keeps nulls
 * and directives for the server.
 */
export type MergeMode = "apply" | "combine";

/** How maps are merged. */
export interface MergeOptions {
  readonly schema: PatchSchema | undefined;
  readonly mode: MergeMode;
}

/** Merges a strategic merge patch into a map (or into another patch). Modifies neither. Throws PatchError. */
export function mergeMaps(
  original: JsonObject,
  patch: JsonObject,
  { schema, mode }: MergeOptions,
): JsonObject {
  const directive = memberOf(patch, patchDirective);
  if (directive !== undefined) {
    return replaceMap(patch, directive);
  }
  const result = draftOf(original);
  const rest = draftOf(patch);
  (mode === "apply" ? applyRetainedKeys : carryRetainedKeys)(result, rest);
  for (const key of Object.keys(rest).filter((name) => isDirectiveKey(name, elementOrderDirective))) {
    mergeInOrder(result, rest, key, schema, mode);
  }
  for (const [key, value] of membersOf(rest)) {
    if (isDirectiveKey(key, deleteItemsDirective)) {
      deleteItems(result, key, value, mode);
    } else {
      mergeField(result, key, value, schema, mode);
    }
  }
  return result;
}

function replaceMap(patch: JsonObject, directive: JsonValue): JsonObject {
  if (directive === "delete") {
    return {};
  }
  if (directive !== "replace") {
    throw new PatchError("bad-patch", `unknown patch type: ${JSON.stringify(directive)} of a map`);
  }
  const replacement = draftOf(patch);
  deleteMember(replacement, patchDirective);
  return replacement;
}

/** Merges the list of a $setElementOrder directive, and removes both from the patch. */
function mergeInOrder(
  result: JsonDraft,
  rest: JsonDraft,
  key: string,
  schema: PatchSchema | undefined,
  mode: MergeMode,
): void {
  const field = fieldOfDirective(key, elementOrderDirective);
  const order = requireList(rest[key] ?? null, key);
  const strategy = strategyOf(schema, field);
  if (mode === "combine") {
    carryElementOrder(result, key, order);
  }
  deleteMember(rest, key);
  const merged = orderList(
    {
      field,
      live: memberOf(result, field),
      items: memberOf(rest, field),
      order,
      mergeKey: strategy.mergeKey,
    },
    (live, items) => mergeListField(live, items, strategy, mode),
  );
  if (merged !== undefined) {
    setMember(result, field, merged);
    deleteMember(rest, field);
  }
}

function mergeField(
  result: JsonDraft,
  key: string,
  value: JsonValue,
  schema: PatchSchema | undefined,
  mode: MergeMode,
): void {
  const before = memberOf(result, key);
  if (value === null || before === undefined || kindOf(before) !== kindOf(value)) {
    setFresh(result, key, value, mode);
  } else if (isJsonObject(before) && isJsonObject(value)) {
    const strategy = strategyOf(schema, key);
    setMember(
      result,
      key,
      strategy.replace ? value : mergeMaps(before, value, { schema: strategy.schema, mode }),
    );
  } else if (isJsonArray(before) && isJsonArray(value)) {
    setMember(result, key, mergeListField(before, value, strategyOf(schema, key), mode));
  } else {
    setMember(result, key, value);
  }
}

/** Sets a value that has nothing to merge with; null deletes, but stays in a patch that is yet to be sent. */
function setFresh(result: JsonDraft, key: string, value: JsonValue, mode: MergeMode): void {
  const isDeletion = mode === "apply" && value === null;
  const fresh = mode === "apply" ? freshValue(value) : value;
  if (isDeletion || fresh === undefined) {
    deleteMember(result, key);
  } else {
    setMember(result, key, fresh);
  }
}

function mergeListField(
  before: readonly JsonValue[] | undefined,
  items: readonly JsonValue[],
  strategy: FieldStrategy,
  mode: MergeMode,
): readonly JsonValue[] {
  if (before === undefined) {
    return mode === "apply" ? freshItems(items) : items;
  }
  if (!strategy.merge) {
    return items;
  }
  return mergeLists(before, items, {
    mergeKey: strategy.mergeKey,
    mergeItem: (live, patch) => mergeItem(live, patch, strategy, mode),
  });
}

function mergeItem(
  live: JsonObject | undefined,
  patch: JsonObject,
  strategy: FieldStrategy,
  mode: MergeMode,
): JsonObject {
  if (live !== undefined) {
    return mergeMaps(live, patch, { schema: strategy.schema, mode });
  }
  return mode === "apply" ? freshMap(patch) : patch;
}

/** Removes the scalars of a $deleteFromPrimitiveList directive from their list. */
function deleteItems(result: JsonDraft, key: string, value: JsonValue, mode: MergeMode): void {
  if (mode === "combine") {
    setMember(result, key, value);
    return;
  }
  const field = fieldOfDirective(key, deleteItemsDirective);
  const before = memberOf(result, field);
  if (before !== undefined && isJsonArray(before)) {
    setMember(result, field, withoutScalars(before, requireList(value, key)));
  }
}
