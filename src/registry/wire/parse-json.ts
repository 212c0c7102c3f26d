import { isJsonObject, type JsonObject, type JsonValue } from "@weir/base";

/** The bytes of a registry do not say what they should; the message tells what is wrong with them. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/** A JSON object out of bytes; `what` names them in the WireError that is thrown for anything else. */
export function parseJsonObject(bytes: Uint8Array | string, what: string): JsonObject {
  const value = parse(typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8"), what);
  if (!isJsonObject(value)) {
    throw new WireError(`${what} is no JSON object`);
  }
  return value;
}

/** A member that is a text; "" for anything else. */
export function textIn(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === "string" ? value : "";
}

/** A member that is an object; an empty one for anything else. */
export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

function parse(text: string, what: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new WireError(`${what} is no JSON`, { cause });
  }
}
