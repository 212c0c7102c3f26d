import type { JsonObject, JsonValue } from "./json.ts";

/** A JSON object under construction. */
export type JsonDraft = Record<string, JsonValue>;

/**
 * The member `key` of an object that may come from outside; undefined if the object itself has none. Never returns what
 * all JavaScript objects inherit ("constructor", "__proto__").
 */
export function memberOf<V = JsonValue>(
  object: { readonly [key: string]: V | undefined },
  key: string,
): V | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a member of a draft; a key such as "__proto__" is a key like any other. */
export function setMember<V = JsonValue>(draft: Record<string, V>, key: string, value: NoInfer<V>): void {
  if (key === "__proto__") {
    Object.defineProperty(draft, key, { value, configurable: true, enumerable: true, writable: true });
  } else {
    draft[key] = value;
  }
}

/** The members of an object; undefined ones count as missing. */
export function* membersOf(object: JsonObject): Generator<readonly [string, JsonValue]> {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value !== undefined) {
      yield [key, value];
    }
  }
}

/** A draft that starts with the members of `object`; the values are shared. */
export function draftOf(object: JsonObject): JsonDraft {
  const draft: JsonDraft = {};
  for (const [key, value] of membersOf(object)) {
    setMember(draft, key, value);
  }
  return draft;
}

/** Removes a member from a draft, if it exists. */
export function deleteMember(draft: object, key: string): void {
  Reflect.deleteProperty(draft, key);
}

/** True for an object without members. */
export function isEmptyObject(object: JsonObject): boolean {
  return membersOf(object).next().done === true;
}
