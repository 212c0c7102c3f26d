/**
 * The content of a YAML document as Go's yaml.v2 decodes it without a type. Values that occur several times are shared,
 * and never changed.
 *
 * A number is a Go int if it's an integer, and a float64 otherwise; a bigint is an int that a number can't represent.
 */
export type YamlValue = YamlScalar | readonly YamlValue[] | YamlObject | YamlMap;

/** A value that isn't a collection. */
export type YamlScalar = string | number | bigint | boolean | null | YamlFloat | YamlBytes;

/** A mapping with only string keys; a missing one reads as undefined. Every JSON object is one. */
export interface YamlObject {
  readonly [key: string]: YamlValue | undefined;
}

/** Marks values that JSON doesn't have. A mapping from a document never contains this key. */
const special = Symbol("yaml");

/** A float64 that's an integer, infinite, or NaN; it's printed differently from an int. */
export interface YamlFloat {
  readonly [special]: "float";
  readonly value: number;
}

/** A string of bytes that aren't UTF-8; only `!!binary` creates it. */
export interface YamlBytes {
  readonly [special]: "bytes";
  readonly bytes: Uint8Array;
}

/** A mapping with a key that isn't a string. Keys of different types are different, even if they look the same. */
export interface YamlMap {
  readonly [special]: "map";
  readonly entries: readonly (readonly [key: YamlScalar, value: YamlValue])[];
}

/** Creates a float64 that's an integer, infinite, or NaN. */
export function yamlFloat(value: number): YamlFloat {
  return { [special]: "float", value };
}

/** Creates a string of bytes that aren't UTF-8. */
export function yamlBytes(bytes: Uint8Array): YamlBytes {
  return { [special]: "bytes", bytes };
}

/** Creates a mapping with a key that isn't a string. */
export function yamlMap(entries: YamlMap["entries"]): YamlMap {
  return { [special]: "map", entries };
}

/** True for a float64 that's an integer, infinite, or NaN. */
export function isYamlFloat(value: YamlValue | undefined): value is YamlFloat {
  return isSpecial(value) && value[special] === "float";
}

/** True for a string of bytes that aren't UTF-8. */
export function isYamlBytes(value: YamlValue | undefined): value is YamlBytes {
  return isSpecial(value) && value[special] === "bytes";
}

/** True for a mapping with a key that isn't a string. */
export function isYamlMap(value: YamlValue | undefined): value is YamlMap {
  return isSpecial(value) && value[special] === "map";
}

/** True for a sequence. */
export function isYamlList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value);
}

/** True for a mapping with only string keys. */
export function isYamlObject(value: YamlValue): value is YamlObject {
  return typeof value === "object" && value !== null && !isYamlList(value) && !(special in value);
}

/** True for a mapping with any keys. */
export function isYamlMapping(value: YamlValue): value is YamlObject | YamlMap {
  return isYamlObject(value) || isYamlMap(value);
}

/** The keys and values of a mapping. */
export function entriesOf(mapping: YamlObject | YamlMap): readonly (readonly [YamlScalar, YamlValue])[] {
  return isYamlMap(mapping) ? mapping.entries : namedEntriesOf(mapping);
}

/** The keys and values of a mapping with only string keys. */
export function namedEntriesOf(mapping: YamlObject): (readonly [string, YamlValue])[] {
  const entries: (readonly [string, YamlValue])[] = [];
  for (const key of Object.keys(mapping)) {
    const value = mapping[key];
    if (value !== undefined) {
      entries.push([key, value]);
    }
  }
  return entries;
}

function isSpecial(value: YamlValue | undefined): value is YamlFloat | YamlBytes | YamlMap {
  return typeof value === "object" && value !== null && special in value;
}
