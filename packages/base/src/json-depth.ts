import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/**
 * How deep objects and lists may stand in one another for the functions that walk them by recursion. No
 * Kubernetes object comes near it; a hostile one is refused by name instead of exhausting the stack.
 */
export const maxJsonDepth = 500;

/** True where objects and lists stand in one another deeper than maxJsonDepth. Needs no stack itself. */
export function isTooDeep(value: JsonValue): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxJsonDepth) {
      return true;
    }
    level = level.flatMap(containersIn);
  }
  return false;
}

type Container = JsonObject | readonly JsonValue[];

function containersIn(container: Container): Container[] {
  return (isJsonArray(container) ? container : Object.values(container)).filter(isContainer);
}

function isContainer(value: JsonValue | undefined): value is Container {
  return isJsonArray(value) || isJsonObject(value);
}
