import { isJsonArray, isJsonObject, type JsonValue } from "./json.ts";

/** What a value costs beside its letters, in bytes: a slot in its container, and most often an object of its own. */
const perValue = 64;

/** About how many bytes of memory a value takes, to hold what is kept within bounds. Needs no stack itself. */
export function weightOfJson(value: JsonValue): number {
  const left: JsonValue[] = [value];
  let weight = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    weight += perValue;
    if (typeof next === "string") {
      weight += next.length;
    } else if (isJsonArray(next)) {
      for (const item of next) {
        left.push(item);
      }
    } else if (isJsonObject(next)) {
      for (const [key, member] of Object.entries(next)) {
        weight += key.length;
        left.push(member ?? null);
      }
    }
  }
  return weight;
}
