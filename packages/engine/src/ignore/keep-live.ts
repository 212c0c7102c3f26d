import { isJsonArray, isJsonObject, type JsonDraft, type JsonValue, memberOf, setMember } from "@weir/base";
import type { PatchField, PatchSchema } from "@weir/kube/patch";
import {
  childOf,
  compareFromTheEnd,
  isDraftList,
  isDraftMap,
  type JsonPath,
  removeAt,
  setAt,
  valueAt,
} from "./json-path.ts";

/** A manifest, the live object, and what was applied last, with the ignored paths in each. */
export interface KeepInput {
  readonly target: JsonValue;
  readonly live: JsonValue;
  /** The last-applied configuration, or null. */
  readonly applied: JsonValue;
  readonly targetPaths: readonly JsonPath[];
  readonly livePaths: readonly JsonPath[];
  readonly appliedPaths: readonly JsonPath[];
  /** The patch rules of the kind; undefined for custom resources, whose lists are replaced as a whole. */
  readonly schema: PatchSchema | undefined;
  /** True: the write removes everything that the manifest doesn't have. */
  readonly replaces: boolean;
}

/**
 * The manifest with the live values of the ignored fields, as it can be written: a field that the live object
 * doesn't have isn't set, unless its surroundings are new too. A field that only the live object has is added
 * if the write would remove it.
 */
export function keepLiveValues(input: KeepInput): JsonValue {
  const { target, live, applied, schema, replaces } = input;
  const result: JsonValue = structuredClone(target);
  const gone: JsonPath[] = [];
  for (const path of input.targetPaths) {
    const there = translate(path, { from: target, to: live, schema });
    const parent = translate(path.slice(0, -1), { from: target, to: live, schema });
    if (there !== undefined) {
      setAt(result, path, structuredClone(valueAt(live, there) ?? null));
    } else if (parent !== undefined) {
      gone.push(path);
    }
  }
  for (const path of gone.sort(compareFromTheEnd)) {
    removeAt(result, path);
  }
  const wereApplied = new Set(
    input.appliedPaths.map((path) => JSON.stringify(translate(path, { from: applied, to: live, schema }))),
  );
  for (const path of input.livePaths) {
    const isLost = replaces || wereApplied.has(JSON.stringify(path)) || isReplaced(path, schema);
    if (isLost && translate(path, { from: live, to: result, schema }) === undefined) {
      addFrom(result, live, { path, schema });
    }
  }
  return result;
}

/** Adds a live value; missing maps on the way to it are created, missing items of lists aren't. */
function addFrom(
  result: JsonValue,
  live: JsonValue,
  { path, schema }: { readonly path: JsonPath; readonly schema: PatchSchema | undefined },
): void {
  const value = structuredClone(valueAt(live, path));
  for (let length = 1; length < path.length; length += 1) {
    const way = path.slice(0, length);
    if (
      translate(way, { from: live, to: result, schema }) === undefined &&
      !addMap(result, live, way, schema)
    ) {
      return;
    }
  }
  const last = path.at(-1);
  const place = translate(path.slice(0, -1), { from: live, to: result, schema });
  const parent = place === undefined ? undefined : valueAt(result, place);
  if (value === undefined || last === undefined) {
    return;
  }
  if (typeof last === "number") {
    if (isDraftList(parent)) {
      parent.splice(Math.min(last, parent.length), 0, value);
    }
  } else if (isDraftMap(parent)) {
    setMember(parent, last, value);
  }
}

function addMap(result: JsonValue, live: JsonValue, way: JsonPath, schema: PatchSchema | undefined): boolean {
  const name = way.at(-1);
  const place = translate(way.slice(0, -1), { from: live, to: result, schema });
  const parent = place === undefined ? undefined : valueAt(result, place);
  if (typeof name !== "string" || !isDraftMap(parent) || !isJsonObject(valueAt(live, way))) {
    return false;
  }
  const empty: JsonDraft = {};
  setMember(parent, name, empty);
  return true;
}

interface Translation {
  readonly from: JsonValue;
  readonly to: JsonValue;
  readonly schema: PatchSchema | undefined;
}

/** The same place in another document: items of lists are found by what identifies them. */
function translate(path: JsonPath, { from, to, schema }: Translation): JsonPath | undefined {
  return translateWithin(path, { from, to, field: schema && { strategies: [], schema } });
}

function translateWithin(
  [step, ...rest]: JsonPath,
  { from, to, field }: { from: JsonValue; to: JsonValue; field: PatchField | undefined },
): JsonPath | undefined {
  if (step === undefined) {
    return [];
  }
  const next = typeof step === "number" ? sameItem(step, { here: from, there: to, field }) : step;
  const here = childOf(from, step);
  const there = next === undefined ? undefined : childOf(to, next);
  if (here === undefined || next === undefined || there === undefined) {
    return undefined;
  }
  const below = translateWithin(rest, { from: here, to: there, field: fieldAt(field, step) });
  return below && [next, ...below];
}

/** The rules of a member, or of the items of a list. */
function fieldAt(field: PatchField | undefined, step: string | number): PatchField | undefined {
  return typeof step === "number"
    ? field && { strategies: [], ...innerOf(field) }
    : field?.schema?.field(step);
}

function innerOf({ schema }: PatchField): { readonly schema?: PatchSchema } {
  return schema === undefined ? {} : { schema };
}

function sameItem(
  index: number,
  { here, there, field }: { here: JsonValue; there: JsonValue; field: PatchField | undefined },
): number | undefined {
  if (!isJsonArray(here) || !isJsonArray(there)) {
    return undefined;
  }
  const idOf = identify([here, there], field);
  const item = here[index];
  if (item === undefined || idOf === undefined) {
    return index;
  }
  const found = there.findIndex((other) => idOf(other) === idOf(item));
  return found === -1 ? undefined : found;
}

/** What identifies the items of lists: the merge key, a name or key that no two have, or themselves; undefined: their place. */
function identify(
  lists: readonly (readonly JsonValue[])[],
  field: PatchField | undefined,
): ((item: JsonValue) => JsonValue | undefined) | undefined {
  const keys = [...(field?.mergeKey === undefined ? [] : [field.mergeKey]), "name", "key"];
  const ways = keys.map((key) => (item: JsonValue) => (isJsonObject(item) ? memberOf(item, key) : undefined));
  const itself = (item: JsonValue) => (typeof item === "string" ? item : undefined);
  return [...ways, itself].find((idOf) => lists.every((list) => isUnique(list.map(idOf))));
}

function isUnique(ids: readonly (JsonValue | undefined)[]): boolean {
  return (
    ids.every((id) => typeof id === "string" || typeof id === "number") && new Set(ids).size === ids.length
  );
}

/** True for a part of something that a patch replaces as a whole, so that it has to contain this part too. */
function isReplaced(path: JsonPath, schema: PatchSchema | undefined): boolean {
  let field: PatchField | undefined = schema && { strategies: [], schema };
  for (const step of path) {
    if (field?.strategies.some((strategy) => strategy !== "merge") === true) {
      return true;
    }
    if (typeof step === "number" && field?.strategies.includes("merge") !== true) {
      return true;
    }
    field = fieldAt(field, step);
  }
  return false;
}
