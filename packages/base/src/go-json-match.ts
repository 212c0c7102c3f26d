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
  for (const key of Object.keys(object).sort()) {
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
  const isPlain = text[at] === '"' && text[last] === '"' && text.startsWith(value, at + 1);
  // What would end the string, or has another meaning in JSON, is written in another form.
  return isPlain && !value.includes('"') && !value.includes("\\") && !escaped.test(value)
    ? last + 1
    : matchText(text, at, stringifyGoJson(value));
}

/** What Go writes as escapes, besides quotes and backslashes, and surrogates, which it checks. */
const escaped = /[\u0000-\u001f<>&\u2028\u2029\ud800-\udfff]/;

function matchText(text: string, at: number, part: string): number {
  return text.startsWith(part, at) ? at + part.length : -1;
}
