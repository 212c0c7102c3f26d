import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/** True if both are the same JSON value; the order of an object's keys doesn't matter. */
export function equalJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) {
    return true;
  }
  if (isJsonArray(a)) {
    return isJsonArray(b) && equalArrays(a, b);
  }
  return isJsonObject(a) && isJsonObject(b) && equalObjects(a, b);
}

function equalArrays(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return (
    a.length === b.length &&
    a.every((item, index) => {
      const other = b[index];
      return other !== undefined && equalJson(item, other);
    })
  );
}

function equalObjects(a: JsonObject, b: JsonObject): boolean {
  let members = 0;
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value === undefined) {
      continue;
    }
    const other = Object.hasOwn(b, key) ? b[key] : undefined;
    if (other === undefined || !equalJson(value, other)) {
      return false;
    }
    members++;
  }
  return members === countMembers(b);
}

function countMembers(object: JsonObject): number {
  return Object.values(object).filter((value) => value !== undefined).length;
}
