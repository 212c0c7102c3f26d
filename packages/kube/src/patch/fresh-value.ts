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
 * A value of a patch where the object has nothing to merge it with: directives are left out, and with `$patch` the
 * whole map that bears it. Undefined where nothing is left to set. Nulls within stay: whoever decodes the object
 * reads them as absent.
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

/** The same for the items of a list. */
export function freshItems(items: readonly JsonValue[]): readonly JsonValue[] {
  return items.map(freshValue).filter((item) => item !== undefined);
}

/** The same for a map that bears no `$patch` itself. */
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
