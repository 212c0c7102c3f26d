/**
 * What a YAML document says, as Go's yaml.v2 decodes it without knowing a type. Shared parts are shared, nothing
 * is ever changed.
 *
 * A number is a Go int where it is an integer, and a float64 where it is none; a bigint is an int beyond what a
 * number holds.
 */
export type YamlValue = YamlScalar | readonly YamlValue[] | YamlObject | YamlMap;

/** A value that is no collection. */
export type YamlScalar = string | number | bigint | boolean | null | YamlFloat | YamlBytes;

/** A mapping all of whose keys are strings; a missing one reads as undefined. Every JSON object is one. */
export interface YamlObject {
  readonly [key: string]: YamlValue | undefined;
}

/** Marks what JSON has no value for. A mapping that a document describes never has this key. */
const special = Symbol("yaml");

/** A float64 that is an integer, infinite, or no number: it is written otherwise than an int. */
export interface YamlFloat {
  readonly [special]: "float";
  readonly value: number;
}

/** A string of bytes that are not UTF-8; only `!!binary` makes it. */
export interface YamlBytes {
  readonly [special]: "bytes";
  readonly bytes: Uint8Array;
}

/** A mapping with a key that is no string. Keys of different types differ, though they may look the same. */
export interface YamlMap {
  readonly [special]: "map";
  readonly entries: readonly (readonly [key: YamlScalar, value: YamlValue])[];
}

/** Makes a float64 that is an integer, infinite, or no number. */
export function yamlFloat(value: number): YamlFloat {
  return { [special]: "float", value };
}

/** Makes a string of bytes that are not UTF-8. */
export function yamlBytes(bytes: Uint8Array): YamlBytes {
  return { [special]: "bytes", bytes };
}

/** Makes a mapping with a key that is no string. */
export function yamlMap(entries: YamlMap["entries"]): YamlMap {
  return { [special]: "map", entries };
}

/** True for a float64 that is an integer, infinite, or no number. */
export function isYamlFloat(value: YamlValue | undefined): value is YamlFloat {
  return isSpecial(value) && value[special] === "float";
}

/** True for a string of bytes that are not UTF-8. */
export function isYamlBytes(value: YamlValue | undefined): value is YamlBytes {
  return isSpecial(value) && value[special] === "bytes";
}

/** True for a mapping with a key that is no string. */
export function isYamlMap(value: YamlValue | undefined): value is YamlMap {
  return isSpecial(value) && value[special] === "map";
}

/** True for a sequence. */
export function isYamlList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value);
}

/** True for a mapping all of whose keys are strings. */
export function isYamlObject(value: YamlValue): value is YamlObject {
  return typeof value === "object" && value !== null && !isYamlList(value) && !(special in value);
}

/** True for a mapping, whatever its keys. */
export function isYamlMapping(value: YamlValue): value is YamlObject | YamlMap {
  return isYamlObject(value) || isYamlMap(value);
}

/** The keys and values of a mapping. */
export function entriesOf(mapping: YamlObject | YamlMap): readonly (readonly [YamlScalar, YamlValue])[] {
  return isYamlMap(mapping) ? mapping.entries : namedEntriesOf(mapping);
}

/** The keys and values of a mapping all of whose keys are strings. */
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
