import {
  isJsonArray,
  isJsonObject,
  type JsonDraft,
  type JsonObject,
  type JsonValue,
  membersOf,
  setMember,
} from "@weir/base";
import { isDirective, markOf } from "./directives.ts";

/**
 * The value that a patch sets if the object has nothing to merge it with: without directives, and without
 * maps that contain `$patch`. Undefined if nothing is left to set. Nested nulls stay: whoever decodes the
 * object treats them as absent.
 */
export function freshValue(value: JsonValue): JsonValue | undefined {
  if (isJsonArray(value)) {
    return freshItems(value);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  return markOf(value) === undefined ? freshMap(value) : undefined;
}

/** Like freshValue, for the items of a list. */
export function freshItems(items: readonly JsonValue[]): readonly JsonValue[] {
  return items.map(freshValue).filter((item) => item !== undefined);
}

/** Like freshValue, for a map without `$patch`. */
export function freshMap(map: JsonObject): JsonObject {
  const fresh: JsonDraft = {};
  for (const [key, member] of membersOf(map)) {
    const kept = isDirective(key) ? undefined : freshValue(member);
    if (kept !== undefined) {
      setMember(fresh, key, kept);
    }
  }
  return fresh;
}
