import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from "@weir/base";
import { equalQuantities } from "@weir/kube";
import type { PatchField } from "@weir/kube/patch";

/**
 * True where the API server makes the same of both values of a field of a built-in kind: quantities are compared
 * by their amount, and null and an empty list are as good as absent. A list and its items have the rules of the
 * same field.
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

/** True for what the API server does not keep in a built-in kind: null, and a list without items. */
export function isVoid(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (isJsonArray(value) && value.length === 0);
}

/** The rules of a member of a map; the members of a map of quantities have those of the map. */
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
