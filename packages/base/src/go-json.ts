import { compareGoStrings } from "./go-order.ts";
import { isJsonArray, type JsonObject, type JsonValue } from "./json.ts";
import { maxJsonDepth } from "./json-depth.ts";

/** How to write JSON text. */
export interface GoJsonOptions {
  /** False keeps the order of keys in the objects. By default, keys are sorted, as Go sorts maps. */
  readonly sortKeys?: boolean;
}

/** A value can't be written as JSON. */
export class GoJsonError extends Error {
  override readonly name = "GoJsonError";
}

/**
 * JSON text exactly as Go's encoding/json writes it: no spaces, no newline at the end, `<`, `>`, `&`, U+2028, and
 * U+2029 escaped, and integers in full up to 64 bits. Throws GoJsonError for a number that isn't finite, and for a
 * value that's nested too deeply.
 */
export function stringifyGoJson(value: JsonValue, options: GoJsonOptions = {}): string {
  return writeValue(value, options.sortKeys ?? true, 0);
}

function writeValue(value: JsonValue, sortKeys: boolean, depth: number): string {
  if (typeof value === "string") {
    return writeString(value);
  }
  if (typeof value === "number") {
    return writeNumber(value);
  }
  if (typeof value === "boolean" || value === null) {
    return String(value);
  }
  if (depth === maxJsonDepth) {
    throw new GoJsonError(`objects and lists are nested more than ${maxJsonDepth} deep`);
  }
  return isJsonArray(value)
    ? writeArray(value, sortKeys, depth + 1)
    : writeObject(value, sortKeys, depth + 1);
}

function writeArray(items: readonly JsonValue[], sortKeys: boolean, depth: number): string {
  let text = "[";
  for (const item of items) {
    text += (text === "[" ? "" : ",") + writeValue(item, sortKeys, depth);
  }
  return `${text}]`;
}

function writeObject(object: JsonObject, sortKeys: boolean, depth: number): string {
  const keys = Object.keys(object);
  let text = "{";
  for (const key of sortKeys ? keys.sort(compareGoStrings) : keys) {
    const value = object[key];
    if (value !== undefined) {
      text += `${text === "{" ? "" : ","}${writeString(key)}:${writeValue(value, sortKeys, depth)}`;
    }
  }
  return `${text}}`;
}

/** All characters that may need escapes in a string; surrogates are checked further. */
const special = /["\\\u0000-\u001f<>&\u2028\u2029\ud800-\udfff]/;
const escapedByGo = /[<>&\u2028\u2029]/g;

function writeString(text: string): string {
  if (!special.test(text)) {
    return `"${text}"`;
  }
  return JSON.stringify(text.toWellFormed()).replace(escapedByGo, escapeUnit);
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** To Go, whole numbers that fit 64 bits are integers. All others are floats, which it prints like JavaScript. */
function writeNumber(value: number): string {
  if (!Number.isFinite(value)) {
    throw new GoJsonError(`${value} can't be written as a JSON number`);
  }
  const isLongInteger = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 63;
  return isLongInteger ? BigInt(value).toString() : String(value);
}
