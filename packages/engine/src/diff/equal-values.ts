import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from "@weir/base";
import { equalQuantities } from "@weir/kube";
import type { PatchField } from "@weir/kube/patch";

/**
 * True if the API server treats both values of a field of a built-in kind alike: quantities are compared by
 * amount, and null and an empty list count as absent. A list and its items share the rules of their field.
 */
export function equalValues(a: JsonValue, b: JsonValue, field: PatchField | undefined): boolean {
  if (a === b || (isVoid(a) && isVoid(b))) {
    return true;
  }
  if (isJsonArray(a)) {
    return isJsonArray(b) && equalLists(a, b, field);
  }
  if (isJsonObject(a)) {
    return isJsonObject(b) && equalMaps(a, b, field);
  }
  return field?.isQuantity === true && equalQuantities(a, b);
}

/** True for values that the API server doesn't store in a built-in kind: null and empty lists. */
export function isVoid(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (isJsonArray(value) && value.length === 0);
}

/** The rules of a map's member; in a map of quantities, members have the rules of the map. */
export function memberField(field: PatchField | undefined, name: string): PatchField | undefined {
  return field?.isQuantity === true ? field : field?.schema?.field(name);
}

function equalLists(
  a: readonly JsonValue[],
  b: readonly JsonValue[],
  field: PatchField | undefined,
): boolean {
  return a.length === b.length && a.every((item, index) => equalValues(item, b[index] ?? null, field));
}

function equalMaps(a: JsonObject, b: JsonObject, field: PatchField | undefined): boolean {
  const isSame = (key: string): boolean =>
    equalValues(memberOf(a, key) ?? null, memberOf(b, key) ?? null, memberField(field, key));
  return Object.keys(a).every(isSame) && Object.keys(b).every((key) => Object.hasOwn(a, key) || isSame(key));
}
