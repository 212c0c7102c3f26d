import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/** A JSON value from outside has the wrong shape; the message says where. */
export class JsonShapeError extends Error {
  override readonly name = "JsonShapeError";
  /** The place in the document, such as "spec.ServiceSpecs[2]". */
  readonly path: string;

  constructor(path: string, expected: string, found: JsonValue) {
    super(`${path === "" ? "the document" : path} should be ${expected}, not ${kindOf(found)}`);
    this.path = path;
  }
}

/** Decodes one value; `path` is its place in the document, for errors. */
export type Decode<T> = (value: JsonValue, path: string) => T;

/**
 * Reads the fields of a JSON object as Go's encoding/json fills a struct: the case of keys is ignored, unknown keys are
 * ignored, and a missing or null field has the zero value of its type. Every method throws JsonShapeError if a field
 * has another type.
 */
export class JsonReader {
  readonly #object: JsonObject;
  readonly #path: string;

  /** Throws JsonShapeError if `value` is neither an object nor null. */
  constructor(value: JsonValue, path = "") {
    this.#object = value === null ? {} : jsonObjectAt(value, path);
    this.#path = path;
  }

  /** True if the field exists, even if it's null. */
  has(key: string): boolean {
    return this.#find(key) !== undefined;
  }

  /** A string; "" if it's missing. */
  text(key: string): string {
    return this.value(key, textAt) ?? "";
  }

  /** A Boolean; false if it's missing. */
  flag(key: string): boolean {
    return this.value(key, flagAt) ?? false;
  }

  /** An integer; 0 if it's missing. */
  integer(key: string): number {
    return this.value(key, integerAt) ?? 0;
  }

  /** A list; null if it's missing. */
  list<T>(key: string, decode: Decode<T>): readonly T[] | null {
    return this.value(key, (value, path) => listAt(value, path, decode)) ?? null;
  }

  /** An object with any keys; null if it's missing. */
  map<T>(key: string, decode: Decode<T>): ReadonlyMap<string, T> | null {
    return this.value(key, (value, path) => mapAt(value, path, decode)) ?? null;
  }

  /** A nested struct; reads as empty if it's missing. */
  object(key: string): JsonReader {
    return new JsonReader(this.#find(key) ?? null, this.#pathOf(key));
  }

  /** The result of `decode` for the field; undefined if it's missing or null. */
  value<T>(key: string, decode: Decode<T>): T | undefined {
    const value = this.#find(key);
    return value === undefined || value === null ? undefined : decode(value, this.#pathOf(key));
  }

  #find(key: string): JsonValue | undefined {
    if (Object.hasOwn(this.#object, key)) {
      return this.#object[key];
    }
    const lower = key.toLowerCase();
    const other = Object.keys(this.#object).findLast(
      (each) => each.length === key.length && each.toLowerCase() === lower,
    );
    return other === undefined ? undefined : this.#object[other];
  }

  #pathOf(key: string): string {
    return this.#path === "" ? key : `${this.#path}.${key}`;
  }
}

/** A string; throws JsonShapeError for anything else. */
export function textAt(value: JsonValue, path: string): string {
  if (typeof value !== "string") {
    throw new JsonShapeError(path, "a string", value);
  }
  return value;
}

/** A string, or "" for null, as Go decodes the items of lists and maps; throws JsonShapeError for anything else. */
export function textOrNullAt(value: JsonValue, path: string): string {
  return value === null ? "" : textAt(value, path);
}

/** A list whose items are decoded one by one; throws JsonShapeError for anything else. */
export function listAt<T>(value: JsonValue, path: string, decode: Decode<T>): readonly T[] {
  if (!isJsonArray(value)) {
    throw new JsonShapeError(path, "a list", value);
  }
  return value.map((item, index) => decode(item, `${path}[${index}]`));
}

/** An object as a map from its keys; throws JsonShapeError for anything else. */
export function mapAt<T>(value: JsonValue, path: string, decode: Decode<T>): ReadonlyMap<string, T> {
  const entries = Object.entries(jsonObjectAt(value, path));
  return new Map(
    entries.map(([key, item]) => [key, decode(item ?? null, `${path}[${JSON.stringify(key)}]`)]),
  );
}

/** Any JSON object, as it is; throws JsonShapeError for anything else. */
export function jsonObjectAt(value: JsonValue, path: string): JsonObject {
  if (!isJsonObject(value)) {
    throw new JsonShapeError(path, "an object", value);
  }
  return value;
}

/** True or false; throws JsonShapeError for anything else. */
export function flagAt(value: JsonValue, path: string): boolean {
  if (typeof value !== "boolean") {
    throw new JsonShapeError(path, "true or false", value);
  }
  return value;
}

/** A whole number; throws JsonShapeError for anything else. */
export function integerAt(value: JsonValue, path: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) {
    throw new JsonShapeError(path, "a whole number", value);
  }
  return value;
}

function kindOf(value: JsonValue): string {
  if (value === null) {
    return "null";
  }
  return isJsonArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
