import { equalJson, isJsonArray, isJsonObject, type JsonObject, type JsonValue, membersOf } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { childOf, type JsonPath, valueAt } from "./json-path.ts";

/** One entry of an object's managedFields: what one manager owns. */
export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource: string;
  /** A set of fields in the form "FieldsV1". */
  readonly fields: JsonObject;
  /** As the server sent it. */
  readonly entry: JsonObject;
}

/** The entries of an object's managedFields; empty if the object was read without them. */
export function managedFieldsOf({ metadata }: KubeObject): readonly ManagedFieldsEntry[] {
  const entries = metadata["managedFields"];
  return isJsonArray(entries) ? entries.filter(isJsonObject).map(toEntry) : [];
}

/**
 * The paths in a document that belong to a set of fields in the form "FieldsV1": whole maps and items if all that they
 * contain belongs to it too, otherwise only the parts that do.
 */
export function ownedPaths(document: JsonValue, fields: JsonObject): readonly JsonPath[] {
  const found = pathsWithin(document, fields);
  return found === "all" ? [[]] : found;
}

/** True for the entry of a manager of server-side apply. */
export function isAppliedBy(entry: ManagedFieldsEntry, manager: string): boolean {
  return entry.manager === manager && entry.operation === "Apply" && entry.subresource === "";
}

/** What lies at some paths of a document and isn't owned: whole values, or parts of them. */
export function foreignPaths(
  document: JsonValue,
  paths: readonly JsonPath[],
  owned: readonly JsonPath[],
): readonly JsonPath[] {
  return paths.flatMap((path) => {
    if (owned.some((each) => isWithin(path, each))) {
      return [];
    }
    const value = valueAt(document, path);
    const isPartlyOwned = owned.some((each) => isWithin(each, path));
    return value === undefined || !isPartlyOwned
      ? [path]
      : foreignPaths(
          document,
          childrenOf(value).map((step) => [...path, step]),
          owned,
        );
  });
}

function isWithin(path: JsonPath, other: JsonPath): boolean {
  return other.length <= path.length && other.every((step, at) => step === path[at]);
}

function childrenOf(value: JsonValue): readonly (string | number)[] {
  return isJsonArray(value) ? [...value.keys()] : isJsonObject(value) ? Object.keys(value) : [];
}

function toEntry(entry: JsonObject): ManagedFieldsEntry {
  const fields = entry["fieldsV1"];
  return {
    manager: textOf(entry["manager"]),
    operation: textOf(entry["operation"]),
    apiVersion: textOf(entry["apiVersion"]),
    subresource: textOf(entry["subresource"]),
    fields: isJsonObject(fields) ? fields : {},
    entry,
  };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** "all": the value itself belongs to the set, with everything in it. */
function pathsWithin(value: JsonValue, fields: JsonObject): "all" | readonly JsonPath[] {
  const children = [...membersOf(fields)].filter(([name]) => name !== ".");
  if (children.length === 0) {
    return "all";
  }
  const paths: JsonPath[] = [];
  let whole = 0;
  for (const [name, below] of children) {
    const step = stepOf(value, name);
    const child = step === undefined ? undefined : childOf(value, step);
    if (step !== undefined && child !== undefined) {
      const found = pathsWithin(child, isJsonObject(below) ? below : {});
      whole += found === "all" ? 1 : 0;
      paths.push(...(found === "all" ? [[step]] : found.map((path) => [step, ...path])));
    }
  }
  const isOwned = Object.hasOwn(fields, ".");
  return isOwned && whole > 0 && whole === sizeOf(value) ? "all" : paths;
}

/**
 * Whether a set of fields in the form "FieldsV1" contains a path, or a part of what is there ("itself"), or only
 * something around it: a value that is owned as a whole, or a map without its members, which looks the same in a set.
 */
export function ownershipAt(
  document: JsonValue,
  fields: JsonObject,
  [step, ...rest]: JsonPath,
): "itself" | "around" | "none" {
  if (step === undefined) {
    return "itself";
  }
  const members = [...membersOf(fields)].filter(([name]) => name !== ".");
  if (members.length === 0) {
    return "around";
  }
  const [, below] = members.find(([name]) => stepOf(document, name) === step) ?? [];
  const child = childOf(document, step);
  return child !== undefined && isJsonObject(below) ? ownershipAt(child, below, rest) : "none";
}

/** The step that a name in a set means: "f:name", "k:{keys}", "v:value", or "i:index". */
function stepOf(value: JsonValue, name: string): string | number | undefined {
  const rest = name.slice(2);
  switch (name.slice(0, 2)) {
    case "f:":
      return rest;
    case "i:":
      return Number(rest);
    case "k:":
      return indexOf(value, rest, hasKeys);
    case "v:":
      return indexOf(value, rest, equalJson);
    default:
      return undefined;
  }
}

function indexOf(
  list: JsonValue,
  text: string,
  matches: (item: JsonValue, wanted: JsonValue) => boolean,
): number | undefined {
  const wanted = parse(text);
  const index =
    isJsonArray(list) && wanted !== undefined ? list.findIndex((item) => matches(item, wanted)) : -1;
  return index === -1 ? undefined : index;
}

function hasKeys(item: JsonValue, keys: JsonValue): boolean {
  if (!isJsonObject(item) || !isJsonObject(keys)) {
    return false;
  }
  return [...membersOf(keys)].every(([key, value]) => {
    const own = childOf(item, key);
    return own !== undefined && equalJson(own, value);
  });
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function sizeOf(value: JsonValue): number {
  return isJsonArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : -1;
}
