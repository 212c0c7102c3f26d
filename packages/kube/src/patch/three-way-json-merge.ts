import {
  draftOf,
  equalJson,
  isEmptyObject,
  isJsonArray,
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
import type { ThreeWay } from "./three-way.ts";

/**
 * The JSON merge patch that `kubectl apply` sends for custom resources: the differences from `current` to
 * `modified`, and deletions of what `original` (the last-applied configuration) contains and `modified` lacks
 * or sets to null. `{}` if there is nothing to do. Throws PatchError.
 */
export function createThreeWayJsonMergePatch({ original, modified, current }: ThreeWay): JsonObject {
  requireShallow("bad-object", original, modified, current);
  return union(deletionsIn(original ?? {}, modified), changesIn(current, modified));
}

/** Added or changed values; nulls are left to the deletions. */
function changesIn(current: JsonObject, modified: JsonObject): JsonDraft {
  const changes: JsonDraft = {};
  for (const [key, value] of membersOf(modified)) {
    const change = changeOf(memberOf(current, key), value);
    if (change !== undefined) {
      setMember(changes, key, change);
    }
  }
  return changes;
}

function changeOf(before: JsonValue | undefined, after: JsonValue): JsonValue | undefined {
  if (before === undefined || kindOf(before) !== kindOf(after)) {
    return valueOf(after);
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    const changes = changesIn(before, after);
    return isEmptyObject(changes) ? undefined : changes;
  }
  return equalJson(before, after) ? undefined : withoutNulls(after);
}

/** A value to set, without the parts that would delete something; undefined if nothing else is in it. */
function valueOf(value: JsonValue): JsonValue | undefined {
  if (!isJsonObject(value)) {
    return value === null ? undefined : withoutNulls(value);
  }
  const members: JsonDraft = {};
  for (const [key, member] of membersOf(value)) {
    const kept = valueOf(member);
    if (kept !== undefined) {
      setMember(members, key, kept);
    }
  }
  return isEmptyObject(members) && !isEmptyObject(value) ? undefined : members;
}

/** Nulls are removed from maps in lists too; a null that is itself an item stays. */
function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) {
    return value.map(withoutNulls);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members: JsonDraft = {};
  for (const [key, member] of membersOf(value)) {
    if (member !== null) {
      setMember(members, key, withoutNulls(member));
    }
  }
  return members;
}

/** Null for each key that was removed or newly set to null. */
function deletionsIn(original: JsonObject, modified: JsonObject): JsonDraft {
  const deletions: JsonDraft = {};
  for (const [key, value] of membersOf(modified)) {
    const deletion = deletionOf(memberOf(original, key), value);
    if (deletion !== undefined) {
      setMember(deletions, key, deletion);
    }
  }
  for (const [key] of membersOf(original)) {
    if (memberOf(modified, key) === undefined) {
      setMember(deletions, key, null);
    }
  }
  return deletions;
}

function deletionOf(before: JsonValue | undefined, after: JsonValue): JsonValue | undefined {
  if (!isJsonObject(after)) {
    return after === null && before !== null ? null : undefined;
  }
  const deletions = deletionsIn(before !== undefined && isJsonObject(before) ? before : {}, after);
  return isEmptyObject(deletions) ? undefined : deletions;
}

/**
 * Merges two patches. They never conflict: one has nulls where `modified` has no value, the other has its
 * values.
 */
function union(deletions: JsonObject, changes: JsonObject): JsonDraft {
  const both = draftOf(deletions);
  for (const [key, change] of membersOf(changes)) {
    const there = memberOf(both, key);
    const isInBoth = there !== undefined && isJsonObject(there) && isJsonObject(change);
    setMember(both, key, isInBoth ? union(there, change) : change);
  }
  return both;
}
