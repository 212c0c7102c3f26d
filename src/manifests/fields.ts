import {
  entriesOf,
  isYamlList,
  isYamlMap,
  isYamlMapping,
  scalarText,
  type YamlScalar,
  type YamlValue,
} from "@weir/yaml/go-yaml";

/*
 * The parts of a document, or of a live object, as Go's typed structs see them: a field is looked up by the text
 * of its key, and what is null or of another shape reads as nothing.
 */

/** A part of a document that may not be there. */
export type Part = YamlValue | undefined;

/** The value of a field, undefined where there is none. */
export function fieldOf(part: Part, name: string): Part {
  if (isYamlMap(part)) {
    return part.entries.findLast(([key]) => scalarText(key) === name)?.[1];
  }
  return isMapping(part) && Object.hasOwn(part, name) ? part[name] : undefined;
}

/** The value that a path of fields leads to. */
export function fieldAt(part: Part, path: readonly string[]): Part {
  return path.reduce(fieldOf, part);
}

/** The items of a list, none where it is none. */
export function itemsOf(part: Part): readonly YamlValue[] {
  return isList(part) ? part : [];
}

/** The text of a scalar, as a Go string field takes it from a number or a boolean too; "" where it is none. */
export function textOf(part: Part): string {
  return isScalar(part) ? scalarText(part) : "";
}

/** A mapping of texts, empty where it is none. */
export function textsOf(part: Part): ReadonlyMap<string, string> {
  return new Map(membersOf(part).map(([key, value]) => [scalarText(key), textOf(value)]));
}

/** The keys and values of a mapping, none where it is none. */
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

/** True for what is there and no collection. */
export function isScalar(part: Part): part is YamlScalar {
  return part !== undefined && !isYamlList(part) && !isYamlMapping(part);
}
