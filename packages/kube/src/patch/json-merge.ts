import {
  deleteMember,
  draftOf,
  isJsonObject,
  type JsonValue,
  memberOf,
  membersOf,
  setMember,
} from "@weir/base";
import { requireShallow } from "./patch-error.ts";

/**
 * Applies an RFC 7386 merge patch to `target` and returns the result; modifies neither. Throws PatchError.
 */
export function applyJsonMergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  requireShallow("bad-object", target);
  requireShallow("bad-patch", patch);
  return mergeValue(target, patch);
}

function mergeValue(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) {
    return patch;
  }
  const result = target !== undefined && isJsonObject(target) ? draftOf(target) : {};
  for (const [key, value] of membersOf(patch)) {
    if (value === null) {
      deleteMember(result, key);
    } else {
      setMember(result, key, mergeValue(memberOf(result, key), value));
    }
  }
  return result;
}
