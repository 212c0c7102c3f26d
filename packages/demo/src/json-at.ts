import { isJsonArray, isJsonObject, type JsonValue } from "@weir/base";

/** A nested value; undefined if the path doesn't exist. */
export function at(
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): JsonValue | undefined {
  let found = value;
  for (const step of path) {
    found = isJsonArray(found) ? found[Number(step)] : isJsonObject(found) ? found[step] : undefined;
  }
  return found;
}

/** A nested text; "" if there's none. */
export function textAt(value: JsonValue | undefined, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === "string" ? found : "";
}
