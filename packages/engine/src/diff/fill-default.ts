import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from "@weir/base";
import type { ServerDefault } from "./server-defaults.ts";

/** The object with one default filled in; the same object if the default isn't missing anywhere. */
export function fillDefault(object: JsonObject, rule: ServerDefault): JsonObject {
  const filled = fill(object, rule.path.split("."), rule);
  return isJsonObject(filled) ? filled : object;
}

function fill(value: JsonValue, path: readonly string[], rule: ServerDefault): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) {
    return isJsonObject(value) ? fillMap(value, rule) : value;
  }
  if (step === "*") {
    return isJsonArray(value) ? fillList(value, rest, rule) : value;
  }
  const member = isJsonObject(value) ? memberOf(value, step) : undefined;
  if (!isJsonObject(value) || member === undefined) {
    return value;
  }
  const filled = fill(member, rest, rule);
  return filled === member ? value : { ...value, [step]: filled };
}

function fillList(list: readonly JsonValue[], rest: readonly string[], rule: ServerDefault): JsonValue {
  const filled = list.map((item) => fill(item, rest, rule));
  return filled.some((item, index) => item !== list[index]) ? filled : list;
}

function fillMap(map: JsonObject, { field, value, where }: ServerDefault): JsonObject {
  const isMeant = where === undefined || memberOf(map, where[0]) === where[1];
  return isMeant && (memberOf(map, field) ?? null) === null ? { ...map, [field]: value } : map;
}
