import {
  compareGoStrings,
  isJsonArray,
  isJsonObject,
  type JsonDraft,
  type JsonObject,
  type JsonValue,
  maxJsonDepth,
  membersOf,
  setMember,
} from "@weir/base";
import { printGoFloat } from "./go-float.ts";
import {
  entriesOf,
  isYamlBytes,
  isYamlFloat,
  isYamlList,
  isYamlMapping,
  type YamlBytes,
  type YamlFloat,
  type YamlMap,
  type YamlObject,
  type YamlScalar,
  type YamlValue,
} from "./value.ts";

/**
 * A document can't be represented in JSON; the message is that of the Go packages that convert it for kubectl, without
 * texts from the document.
 */
export class YamlToJsonError extends Error {
  override readonly name = "YamlToJsonError";
}

/**
 * Converts a document to JSON like sigs.k8s.io/yaml does for kubectl: keys that are numbers or Booleans become strings.
 * Integers that a double can't represent lose their last digits. Throws YamlToJsonError if a key is null, a number is
 * infinite or NaN, or collections are nested too deeply.
 */
export function toKubeJson(value: YamlValue): JsonValue {
  const json = convert(value, 0);
  const number = firstNonFinite(json);
  if (number !== undefined) {
    throw new YamlToJsonError(`json: unsupported value: ${printGoFloat(number)}`);
  }
  return json;
}

function convert(value: YamlValue, depth: number): JsonValue {
  if (depth > maxJsonDepth) {
    throw new YamlToJsonError(`nested deeper than ${maxJsonDepth} levels`);
  }
  if (isYamlList(value)) {
    return value.map((item) => convert(item, depth + 1));
  }
  return isYamlMapping(value) ? convertMapping(value, depth) : convertScalar(value);
}

/** In the order in which Go writes JSON. */
function firstNonFinite(json: JsonValue): number | undefined {
  if (typeof json === "number") {
    return Number.isFinite(json) ? undefined : json;
  }
  const parts = isJsonArray(json) ? json : isJsonObject(json) ? sortedValues(json) : [];
  for (const part of parts) {
    const found = firstNonFinite(part);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function sortedValues(object: JsonObject): readonly JsonValue[] {
  return [...membersOf(object)].sort(([a], [b]) => compareGoStrings(a, b)).map(([, value]) => value);
}

function convertMapping(mapping: YamlObject | YamlMap, depth: number): JsonValue {
  const draft: JsonDraft = {};
  for (const [key, value] of entriesOf(mapping)) {
    setMember(draft, convertKey(key), convert(value, depth + 1));
  }
  return draft;
}

function convertKey(key: YamlScalar): string {
  switch (typeof key) {
    case "string":
      return key;
    case "boolean":
      return String(key);
    case "number":
      return Number.isInteger(key) ? String(key) : printFloatKey(key);
    case "bigint":
      if (key <= 0x7fff_ffff_ffff_ffffn) {
        return String(key);
      }
      throw unsupportedKey("uint64");
    default:
      return convertSpecialKey(key);
  }
}

function convertSpecialKey(key: YamlFloat | YamlBytes | null): string {
  if (key === null) {
    throw unsupportedKey("%!s(<nil>)");
  }
  return isYamlFloat(key) ? printFloatKey(key.value) : new TextDecoder().decode(key.bytes);
}

/** With the precision of a float32, as in Go's packages. */
function printFloatKey(key: number): string {
  const text = printGoFloat(shortestFloat32(key));
  const words: Partial<Record<string, string>> = { "+Inf": ".inf", "-Inf": "-.inf", NaN: ".nan" };
  return words[text] ?? text;
}

/** The number with the fewest digits that's the same float32. */
function shortestFloat32(value: number): number {
  const wanted = Math.fround(value);
  for (let digits = 1; digits <= 9 && Number.isFinite(wanted); digits += 1) {
    const candidate = Number(wanted.toPrecision(digits));
    if (Math.fround(candidate) === wanted) {
      return candidate;
    }
  }
  return wanted;
}

function unsupportedKey(type: string): YamlToJsonError {
  return new YamlToJsonError(`Unsupported map key of type: ${type}`);
}

function convertScalar(value: YamlScalar): JsonValue {
  if (typeof value === "bigint") {
    return Number(value);
  }
  if (isYamlBytes(value)) {
    return new TextDecoder().decode(value.bytes);
  }
  return isYamlFloat(value) ? value.value : value;
}
