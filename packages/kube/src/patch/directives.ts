import { isJsonArray, isJsonObject, type JsonValue, memberOf } from "@weir/base";
import { PatchError } from "./patch-error.ts";

/** In a map or an item of a list of a strategic merge patch: "delete" or "replace" instead of merging. */
export const patchDirective = "$patch";

/** In a map: the keys that may stay; all others are cleared. */
export const retainKeysDirective = "$retainKeys";

/** Beside a list "x", as "$setElementOrder/x": the order in which its items are to stand. */
export const elementOrderDirective = "$setElementOrder";

/** Beside a list "x" of scalars, as "$deleteFromPrimitiveList/x": the items to take out. */
export const deleteItemsDirective = "$deleteFromPrimitiveList";

/** The key of a directive that speaks of the list `field`. */
export function directiveFor(directive: string, field: string): string {
  return `${directive}/${field}`;
}

/** True for a key that is this directive, whatever list it speaks of. */
export function isDirectiveKey(key: string, directive: string): boolean {
  return key.startsWith(directive);
}

/** True for a key that tells how to merge instead of being a field. */
export function isDirective(key: string): boolean {
  return (
    key === patchDirective ||
    key === retainKeysDirective ||
    isDirectiveKey(key, elementOrderDirective) ||
    isDirectiveKey(key, deleteItemsDirective)
  );
}

/** The list that the key of a directive speaks of. Throws PatchError where it names none. */
export function fieldOfDirective(key: string, directive: string): string {
  if (!key.startsWith(`${directive}/`)) {
    throw new PatchError("bad-patch", `${key} names no list: expected ${directive}/<field>`);
  }
  return key.slice(directive.length + 1);
}

/** What the `$patch` directive of a map says; undefined where it bears none, or is no map. */
export function markOf(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) ? memberOf(value, patchDirective) : undefined;
}

/** A value of a directive or of a list as a list. Throws PatchError where it is none. */
export function requireList(value: JsonValue, field: string): readonly JsonValue[] {
  if (!isJsonArray(value)) {
    throw new PatchError("bad-patch", `${field} must be a list`);
  }
  return value;
}
