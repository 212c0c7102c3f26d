import {
  deleteMember,
  isJsonArray,
  isJsonObject,
  type JsonDraft,
  type JsonValue,
  memberOf,
  setMember,
} from "@weir/base";
import { parseJsonPointer } from "@weir/kube/patch";

/** The way to a value in a document: names of members, and indices of items. */
export type JsonPath = readonly (string | number)[];

/** The value at a path; undefined if there is none. */
export function valueAt(document: JsonValue, path: JsonPath): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const step of path) {
    value = value === undefined ? undefined : childOf(value, step);
  }
  return value;
}

/** The child of a value at one step; undefined if there is none. */
export function childOf(value: JsonValue, step: string | number): JsonValue | undefined {
  if (typeof step === "number") {
    return isJsonArray(value) ? value[step] : undefined;
  }
  return isJsonObject(value) ? memberOf(value, step) : undefined;
}

/** The path that a JSON pointer selects; undefined if it selects nothing. Throws PatchError. */
export function pathOfPointer(document: JsonValue, pointer: string): JsonPath | undefined {
  const path: (string | number)[] = [];
  let value: JsonValue | undefined = document;
  for (const text of parseJsonPointer(pointer)) {
    const step = isJsonArray(value) && /^(0|[1-9][0-9]*)$/.test(text) ? Number(text) : text;
    value = childOf(value, step);
    if (value === undefined) {
      return undefined;
    }
    path.push(step);
  }
  return path;
}

/** A copy of a document without the values at these paths. */
export function withoutPaths(document: JsonValue, paths: readonly JsonPath[]): JsonValue {
  const copy = structuredClone(document);
  for (const path of [...paths].sort(compareFromTheEnd)) {
    removeAt(copy, path);
  }
  return copy;
}

/** Removes a value from a draft, if it exists. */
export function removeAt(draft: JsonValue, path: JsonPath): void {
  const last = path.at(-1);
  const parent = valueAt(draft, path.slice(0, -1));
  if (typeof last === "number") {
    if (isDraftList(parent) && last < parent.length) {
      parent.splice(last, 1);
    }
  } else if (last !== undefined && isDraftMap(parent)) {
    deleteMember(parent, last);
  }
}

/** Sets a value in a draft; does nothing if its parent doesn't exist. */
export function setAt(draft: JsonValue, path: JsonPath, value: JsonValue): void {
  const last = path.at(-1);
  const parent = valueAt(draft, path.slice(0, -1));
  if (typeof last === "number") {
    if (isDraftList(parent) && last < parent.length) {
      parent[last] = value;
    }
  } else if (last !== undefined && isDraftMap(parent)) {
    setMember(parent, last, value);
  }
}

/** The paths without those inside others. */
export function outermost(paths: readonly JsonPath[]): readonly JsonPath[] {
  const texts = new Set(paths.map((path) => JSON.stringify(path)));
  const isInside = (path: JsonPath): boolean =>
    path.some((_, length) => texts.has(JSON.stringify(path.slice(0, length))));
  return [...texts].map((text) => JSON.parse(text) as JsonPath).filter((path) => !isInside(path));
}

/** Items of lists are removed from the end, so that the indices of the others stay valid. */
export function compareFromTheEnd(a: JsonPath, b: JsonPath): number {
  for (const [at, one] of a.entries()) {
    const other = b[at];
    if (other === undefined) {
      return -1;
    }
    if (one !== other) {
      return typeof one === "number" && typeof other === "number"
        ? other - one
        : Number(String(one) > String(other)) * 2 - 1;
    }
  }
  return b.length - a.length;
}

export function isDraftList(value: JsonValue | undefined): value is JsonValue[] {
  return value !== undefined && isJsonArray(value);
}

export function isDraftMap(value: JsonValue | undefined): value is JsonDraft {
  return value !== undefined && isJsonObject(value);
}
