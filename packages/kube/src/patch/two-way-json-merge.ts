import {
  equalJson,
  isEmptyObject,
  isJsonObject,
  type JsonDraft,
  type JsonObject,
  type JsonValue,
  memberOf,
  membersOf,
  setMember,
} from "@weir/base";
import { kindOf } from "./list-items.ts";
import { requireShallow } from "./patch-error.ts";

/**
 * The RFC 7386 merge patch that turns `original` into `modified`; `{}` if they're equal. Nulls in `modified`
 * are lost: such a patch can't distinguish them from deletions. Throws PatchError.
 */
export function createTwoWayJsonMergePatch(original: JsonObject, modified: JsonObject): JsonObject {
  requireShallow("bad-object", original, modified);
  return changesFrom(original, modified);
}

/** The same, for objects that are known not to be nested too deep. */
export function changesFrom(original: JsonObject, modified: JsonObject): JsonDraft {
  const changes: JsonDraft = {};
  for (const [key, value] of membersOf(modified)) {
    const change = changeTo(memberOf(original, key), value);
    if (change !== undefined) {
      setMember(changes, key, change);
    }
  }
  for (const [key] of membersOf(original)) {
    if (memberOf(modified, key) === undefined) {
      setMember(changes, key, null);
    }
  }
  return changes;
}

function changeTo(before: JsonValue | undefined, after: JsonValue): JsonValue | undefined {
  if (before === undefined || kindOf(before) !== kindOf(after)) {
    return after;
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    const changes = changesFrom(before, after);
    return isEmptyObject(changes) ? undefined : changes;
  }
  return equalJson(before, after) ? undefined : after;
}
