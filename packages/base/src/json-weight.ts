import { isJsonArray, isJsonObject, type JsonValue } from "./json.ts";

/** The memory for a value apart from its characters, in bytes: a slot in its container, and usually an object. */
const perValue = 64;

/** Approximately how many bytes of memory a value takes, for limiting what's stored. Isn't recursive. */
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
