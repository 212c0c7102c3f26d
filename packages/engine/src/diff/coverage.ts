import { equalJson, isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from "@weir/base";
import { compareIds, type ItemId, type PatchField } from "@weir/kube/patch";
import { equalValues, isVoid, memberField } from "./equal-values.ts";

/**
 * True if a live value of a built-in kind contains everything in the target, merged by the rules of its
 * field: a strategic merge patch against the last-applied configuration would change nothing. Additional live
 * values don't matter unless the patch would clear them.
 */
export function coversValue(
  live: JsonValue | undefined,
  target: JsonValue,
  field: PatchField | undefined,
): boolean {
  if (live === undefined || live === null || target === null) {
    return isVoid(live) && isVoid(target);
  }
  if (isJsonObject(target)) {
    return isJsonObject(live) && coversMap(live, target, field);
  }
  if (isJsonArray(target) && isJsonArray(live) && field?.strategies.includes("merge") === true) {
    return coversList(live, target, field);
  }
  return equalValues(live, target, field);
}

function coversMap(live: JsonObject, target: JsonObject, field: PatchField | undefined): boolean {
  if (field?.strategies.includes("replace") === true) {
    return equalValues(live, target, field);
  }
  return coversMembers(live, target, field) && !(clearsOthers(target, field) && hasOthers(live, target));
}

function coversMembers(live: JsonObject, target: JsonObject, field: PatchField | undefined): boolean {
  for (const key of Object.keys(target)) {
    if (!coversValue(memberOf(live, key), memberOf(target, key) ?? null, memberField(field, key))) {
      return false;
    }
  }
  return true;
}

/** `retainKeys`: the patch lists the keys that may stay, if there are any. */
function clearsOthers(target: JsonObject, field: PatchField | undefined): boolean {
  return (
    field?.strategies.includes("retainKeys") === true && Object.values(target).some((value) => value !== null)
  );
}

function hasOthers(live: JsonObject, target: JsonObject): boolean {
  return Object.keys(live).some((key) => live[key] !== null && !Object.hasOwn(target, key));
}

/**
 * The items of the target appear in the live list in the same order, with other items before, between, or
 * after them. @NOTE as kubectl: scalars of a sorted target can appear in any order.
 */
function coversList(live: readonly JsonValue[], target: readonly JsonValue[], field: PatchField): boolean {
  return coversInOrder(live, target, field) || isSortedForm(live, target);
}

function coversInOrder(live: readonly JsonValue[], target: readonly JsonValue[], field: PatchField): boolean {
  let next = 0;
  for (const item of live) {
    const wanted = target[next];
    if (wanted !== undefined && idOf(item, field.mergeKey) === idOf(wanted, field.mergeKey)) {
      if (!coversItem(item, wanted, field)) {
        return false;
      }
      next++;
    }
  }
  return next === target.length && (live.length === target.length || hasUniqueItems(live, field.mergeKey));
}

function coversItem(live: JsonValue, target: JsonValue, field: PatchField): boolean {
  return isJsonObject(live) && isJsonObject(target) ? coversMap(live, target, field) : live === target;
}

/**
 * If an ID appears twice, which live item a patch refers to depends on their number: leave that to the patch.
 */
function hasUniqueItems(items: readonly JsonValue[], mergeKey: string | undefined): boolean {
  return new Set(items.map((item) => idOf(item, mergeKey))).size === items.length;
}

function idOf(item: JsonValue, mergeKey: string | undefined): JsonValue | undefined {
  return isJsonObject(item) && mergeKey !== undefined ? memberOf(item, mergeKey) : item;
}

function isSortedForm(live: readonly JsonValue[], target: readonly JsonValue[]): boolean {
  return (
    live.length === target.length && live.every(isScalar) && equalJson(live.toSorted(compareIds), target)
  );
}

function isScalar(item: JsonValue): item is ItemId {
  return typeof item !== "object" || item === null;
}
