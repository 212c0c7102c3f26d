import { equalJson, isJsonObject, type JsonObject, type JsonValue, memberOf, membersOf } from "@weir/base";

/**
 * True if a live custom resource contains everything in the target: a JSON merge patch against the
 * last-applied configuration would be empty. Nulls in the target took effect when it was first applied.
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

/** A map of nulls sets nothing; an empty map is a value. */
function holdsNullsOnly(value: JsonValue): boolean {
  if (!isJsonObject(value)) {
    return value === null;
  }
  const members = [...membersOf(value)];
  return members.length > 0 && members.every(([, member]) => holdsNullsOnly(member));
}
