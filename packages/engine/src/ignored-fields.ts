import { isJsonArray, isJsonObject, type JsonValue, stringifyGoJson } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { parseJsonPointer } from "@weir/kube/patch";
import { lastAppliedAnnotation, lastAppliedOf } from "./diff/last-applied.ts";

/**
 * An object without the fields that these JSON pointers select; a pointer that selects nothing isn't an
 * error.
 */
export function withoutFields(object: KubeObject, pointers: readonly string[]): KubeObject {
  return pointers.map(parseJsonPointer).reduce(withoutField, object);
}

/**
 * A live object without these fields, both in the object and in its last-applied configuration. Throws
 * PatchError if that configuration isn't valid JSON.
 */
export function liveWithoutFields(live: KubeObject, pointers: readonly string[]): KubeObject {
  const rest = withoutFields(live, pointers);
  const applied = lastAppliedOf(rest);
  if (applied === null) {
    return rest;
  }
  const cut = pointers.map(parseJsonPointer).reduce<JsonValue>(cutOut, applied);
  const annotations = { ...rest.metadata.annotations, [lastAppliedAnnotation]: `${stringifyGoJson(cut)}\n` };
  return { ...rest, metadata: { ...rest.metadata, annotations } };
}

/** The fields that identify an object are never removed. */
function withoutField(object: KubeObject, [field = "", ...steps]: readonly string[]): KubeObject {
  const value = object[field];
  if (steps.length > 0) {
    return isJsonObject(value) || isJsonArray(value) ? { ...object, [field]: cutOut(value, steps) } : object;
  }
  const { apiVersion, kind, metadata, ...rest } = object;
  const kept = Object.entries(rest).filter(([name]) => name !== field);
  return { ...Object.fromEntries(kept), apiVersion, kind, metadata };
}

function cutOut(value: JsonValue, [step = "", ...steps]: readonly string[]): JsonValue {
  if (isJsonArray(value)) {
    const index = Number(step);
    return steps.length === 0
      ? value.toSpliced(Number.isInteger(index) && index < value.length ? index : value.length, 1)
      : value.map((item, at) => (at === index ? cutOut(item, steps) : item));
  }
  const member = isJsonObject(value) ? value[step] : undefined;
  if (!isJsonObject(value) || member === undefined) {
    return value;
  }
  const rest = Object.entries(value).filter(([name]) => name !== step);
  return Object.fromEntries(steps.length === 0 ? rest : [...rest, [step, cutOut(member, steps)]]);
}
