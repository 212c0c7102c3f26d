import {
  entriesOf,
  isYamlList,
  isYamlMap,
  isYamlMapping,
  scalarText,
  type YamlScalar,
  type YamlValue,
} from "@weir/yaml/go-yaml";

/**
 * Reads the parts of a document, or of a live object, as Go's typed structs do: fields are found by the text of their
 * key, and a null or a value of another shape counts as missing.
 */

/** A part of a document that may be missing. */
export type Part = YamlValue | undefined;

/** The value of a field; undefined if it's missing. */
export function fieldOf(part: Part, name: string): Part {
  if (isYamlMap(part)) {
    return part.entries.findLast(([key]) => scalarText(key) === name)?.[1];
  }
  return isMapping(part) && Object.hasOwn(part, name) ? part[name] : undefined;
}

/** The value at a path of fields. */
export function fieldAt(part: Part, path: readonly string[]): Part {
  return path.reduce(fieldOf, part);
}

/** The items of a list; none if it isn't a list. */
export function itemsOf(part: Part): readonly YamlValue[] {
  return isList(part) ? part : [];
}

/** The text of a scalar, to which a Go string field also converts numbers and Booleans; "" for anything else. */
export function textOf(part: Part): string {
  return isScalar(part) ? scalarText(part) : "";
}

/** A mapping of texts; empty if it isn't one. */
export function textsOf(part: Part): ReadonlyMap<string, string> {
  return new Map(membersOf(part).map(([key, value]) => [scalarText(key), textOf(value)]));
}

/** The keys and values of a mapping; none if it isn't a mapping. */
export function membersOf(part: Part): readonly (readonly [key: YamlScalar, value: YamlValue])[] {
  return isMapping(part) ? entriesOf(part) : [];
}

/** True for a list. */
export function isList(part: Part): part is readonly YamlValue[] {
  return part !== undefined && isYamlList(part);
}

/** True for a mapping. */
export function isMapping(part: Part): part is Extract<YamlValue, Parameters<typeof entriesOf>[0]> {
  return part !== undefined && isYamlMapping(part);
}

/** True for a value that isn't a collection. */
export function isScalar(part: Part): part is YamlScalar {
  return part !== undefined && !isYamlList(part) && !isYamlMapping(part);
}
