import { isJsonObject, type JsonObject, type JsonValue } from "@weir/base";

/** The response of a service has an invalid format; the message says what's wrong. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/** Parses bytes as a JSON object; `what` names them in the WireError that's thrown for anything else. */
export function parseJsonObject(bytes: Uint8Array | string, what: string): JsonObject {
  const value = parse(typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8"), what);
  if (!isJsonObject(value)) {
    throw new WireError(`${what} isn't a JSON object`);
  }
  return value;
}

/** A string member; "" for anything else. */
export function textIn(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === "string" ? value : "";
}

/** An object member; an empty object for anything else. */
export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

function parse(text: string, what: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new WireError(`${what} isn't valid JSON`, { cause });
  }
}
