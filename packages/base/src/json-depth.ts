import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/**
 * How deep objects and lists can be nested for functions that walk them recursively. No Kubernetes object comes close;
 * a hostile one is refused with an error instead of exhausting the stack.
 */
export const maxJsonDepth = 500;

/** True if objects and lists are nested deeper than maxJsonDepth. Isn't recursive itself. */
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
