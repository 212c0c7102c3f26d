import { isJsonArray, isJsonObject, type JsonValue, memberOf } from "@weir/base";
import { PatchError } from "./patch-error.ts";

/** In a map or a list item of a strategic merge patch: "delete" or "replace" instead of merging. */
export const patchDirective = "$patch";

/** In a map: the keys to keep; all others are cleared. */
export const retainKeysDirective = "$retainKeys";

/** Next to a list "x", as "$setElementOrder/x": the order of its items. */
export const elementOrderDirective = "$setElementOrder";

/** Next to a list "x" of scalars, as "$deleteFromPrimitiveList/x": the items to remove. */
export const deleteItemsDirective = "$deleteFromPrimitiveList";

/** The key of a directive for the list `field`. */
export function directiveFor(directive: string, field: string): string {
  return `${directive}/${field}`;
}

/** True if a key is this directive, for any list. */
export function isDirectiveKey(key: string, directive: string): boolean {
  return key.startsWith(directive);
}

/** True if a key is a merge directive and not a field. */
export function isDirective(key: string): boolean {
  return (
    key === patchDirective ||
    key === retainKeysDirective ||
    isDirectiveKey(key, elementOrderDirective) ||
    isDirectiveKey(key, deleteItemsDirective)
  );
}

/** The list that a directive's key refers to. Throws PatchError if it names none. */
export function fieldOfDirective(key: string, directive: string): string {
  if (!key.startsWith(`${directive}/`)) {
    throw new PatchError("bad-patch", `${key} names no list: expected ${directive}/<field>`);
  }
  return key.slice(directive.length + 1);
}

/** The `$patch` directive of a map; undefined if it has none, or if the value isn't a map. */
export function markOf(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) ? memberOf(value, patchDirective) : undefined;
}

/** The value of a directive or list, as a list. Throws PatchError if it isn't one. */
export function requireList(value: JsonValue, field: string): readonly JsonValue[] {
  if (!isJsonArray(value)) {
    throw new PatchError("bad-patch", `${field} must be a list`);
  }
  return value;
}
