import {
  draftOf,
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
import { requireShallow } from "./patch-error.ts";
import type { ThreeWay } from "./three-way.ts";
import { changesFrom } from "./two-way-json-merge.ts";

/**
 * The JSON merge patch that `kubectl apply` sends for custom resources: the differences from `current` to
 * `modified`, and deletions of what `original` (the last-applied configuration) contains and `modified` lacks
 * or sets to null. `{}` if there is nothing to do. Throws PatchError.
 */
export function createThreeWayJsonMergePatch({ original, modified, current }: ThreeWay): JsonObject {
  requireShallow("bad-object", original, modified, current);
  const changes = valueOf(changesFrom(current, modified));
  return union(deletionsIn(changesFrom(original ?? {}, modified)), isJsonObject(changes) ? changes : {});
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

/** The nulls of a patch, at any depth. */
function deletionsIn(patch: JsonObject): JsonDraft {
  const deletions: JsonDraft = {};
  for (const [key, change] of membersOf(patch)) {
    const inside = isJsonObject(change) ? deletionsIn(change) : change;
    if (inside === null || (isJsonObject(inside) && !isEmptyObject(inside))) {
      setMember(deletions, key, inside);
    }
  }
  return deletions;
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
