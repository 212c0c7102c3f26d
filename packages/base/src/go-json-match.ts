import { stringifyGoJson } from "./go-json.ts";
import { isJsonArray, type JsonObject, type JsonValue } from "./json.ts";

/**
 * True only if a text is what stringifyGoJson writes for a value, followed by `end`; false also in rare cases in which it
 * is. Takes a fraction of the time, because it writes nothing.
 */
export function surelyMatchesGoJson(text: string, value: JsonValue, end: string): boolean {
  const at = matchValue(text, 0, value);
  return at !== -1 && text.length === at + end.length && text.startsWith(end, at);
}

/** The position after the value, or -1. */
function matchValue(text: string, at: number, value: JsonValue): number {
  if (typeof value === "string") {
    return matchString(text, at, value);
  }
  if (typeof value === "object" && value !== null) {
    return isJsonArray(value) ? matchArray(text, at, value) : matchObject(text, at, value);
  }
  return matchText(text, at, stringifyGoJson(value));
}

function matchArray(text: string, start: number, items: readonly JsonValue[]): number {
  let at = matchText(text, start, "[");
  for (let index = 0; index < items.length && at !== -1; index += 1) {
    at = index === 0 ? at : matchText(text, at, ",");
    at = at === -1 ? -1 : matchValue(text, at, items[index] ?? null);
  }
  return at === -1 ? -1 : matchText(text, at, "]");
}

function matchObject(text: string, start: number, object: JsonObject): number {
  let at = matchText(text, start, "{");
  let isFirst = true;
  // Without surrogates, this is Go's order too.
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value !== undefined) {
      at = isFirst ? at : matchText(text, at, ",");
      at = at === -1 ? -1 : matchString(text, at, key);
      at = at === -1 ? -1 : matchText(text, at, ":");
      at = at === -1 ? -1 : matchValue(text, at, value);
      isFirst = false;
    }
    if (at === -1) {
      return -1;
    }
  }
  return at === -1 ? -1 : matchText(text, at, "}");
}

function matchString(text: string, at: number, value: string): number {
  const last = at + 1 + value.length;
  const isPlain =
    text.charCodeAt(at) === quote &&
    text.charCodeAt(last) === quote &&
    !escaped.test(value) &&
    text.startsWith(value, at + 1);
  return isPlain ? last + 1 : matchText(text, at, stringifyGoJson(value));
}

const quote = 0x22;

/**
 * What would end the string, or has another meaning in JSON, what Go writes as an escape, and surrogates, which it
 * checks.
 */
const escaped = /["\\\u0000-\u001f<>&\u2028\u2029\ud800-\udfff]/;

/** More keys than this aren't sorted one by one. */
const fewKeys = 12;

/** Most objects have few keys, for which preparing a general sort takes longer than the sort. */
function sortedKeys(object: JsonObject): readonly string[] {
  const keys = Object.keys(object);
  if (keys.length > fewKeys) {
    return keys.sort();
  }
  keys.forEach((key, index) => {
    let at = index;
    for (let before = keys[at - 1]; before !== undefined && before > key; before = keys[at - 1]) {
      keys[at] = before;
      at -= 1;
    }
    keys[at] = key;
  });
  return keys;
}

function matchText(text: string, at: number, part: string): number {
  return text.startsWith(part, at) ? at + part.length : -1;
}
