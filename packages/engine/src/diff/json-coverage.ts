import { equalJson, isJsonObject, type JsonObject, type JsonValue, memberOf, membersOf } from "@weir/base";

/**
 * True where a live custom resource has all that the target says: a JSON merge patch of what was applied before
 * would be empty. A null in the target was dealt with when it was first applied.
 */
export function coversJson(live: JsonObject, target: JsonObject): boolean {
  for (const [key, value] of membersOf(target)) {
    if (!coversMember(memberOf(live, key), value)) {
      return false;
    }
  }
  return true;
}

function coversMember(live: JsonValue | undefined, target: JsonValue): boolean {
  if (target === null) {
    return true;
  }
  if (isJsonObject(target)) {
    return live !== undefined && isJsonObject(live) ? coversJson(live, target) : holdsNullsOnly(target);
  }
  return live !== undefined && equalJson(live, target);
}

/** A map of nulls sets nothing; an empty one is a value. */
function holdsNullsOnly(value: JsonValue): boolean {
  if (!isJsonObject(value)) {
    return value === null;
  }
  const members = [...membersOf(value)];
  return members.length > 0 && members.every(([, member]) => holdsNullsOnly(member));
}
