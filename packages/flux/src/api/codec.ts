import {
  type Decode,
  flagAt,
  integerAt,
  type JsonObject,
  JsonReader,
  JsonShapeError,
  type JsonValue,
  jsonObjectAt,
  listAt,
  mapAt,
  printGoTime,
  textAt,
} from "@weir/base";
import { type ResourceId, toldResourceId } from "../resource/id.ts";

/** A form that a value has in Weir's own part of the API, for both ways. Decoding throws JsonShapeError. */
export interface Codec<T> {
  /** As what a field that's missing or null is read. */
  readonly missing: JsonValue;
  /** Undefined leaves out the field. */
  readonly encode: (value: T) => JsonValue | undefined;
  readonly decode: Decode<T>;
}

/** The forms of an object's fields. */
type Fields<T> = { readonly [K in keyof T]-?: Codec<T[K]> };

/**
 * An object with these fields, in this order; others are ignored. With `names`, a field has another name than in the value.
 * Fields that are undefined when they're read are left out of the value.
 */
export function record<T extends object>(
  fields: Fields<T>,
  names: { readonly [K in keyof T]?: string } = {},
): {
  readonly missing: JsonValue;
  readonly encode: (value: T) => JsonObject;
  readonly decode: (value: JsonValue, path?: string) => T;
} {
  const codecs = (Object.keys(fields) as (keyof T & string)[]).map((key) => {
    return { key, name: names[key] ?? key, codec: fields[key] as Codec<unknown> };
  });
  return {
    missing: {},
    encode: (value) =>
      Object.fromEntries(
        codecs.flatMap(({ key, name, codec }) => {
          const json = codec.encode(value[key]);
          return json === undefined ? [] : [[name, json]];
        }),
      ),
    decode: (json, path) => {
      const reader = new JsonReader(json, path);
      const read = codecs.flatMap(({ key, name, codec }) => {
        const value = reader.value(name, codec.decode) ?? codec.decode(codec.missing, name);
        return value === undefined ? [] : [[key, value] as const];
      });
      return Object.fromEntries(read) as T;
    },
  };
}

/** A list of what has that form. */
export function list<T>(item: Codec<T>): {
  readonly missing: JsonValue;
  readonly encode: (values: readonly T[]) => readonly JsonValue[];
  readonly decode: (value: JsonValue, path?: string) => readonly T[];
} {
  return {
    missing: [],
    encode: (values) => values.flatMap((value) => item.encode(value) ?? []),
    decode: (value, path = "") => listAt(value, path, item.decode),
  };
}

/** What may be undefined, which is null as JSON. */
export function maybe<T>({ encode, decode }: Codec<T>): Codec<T | undefined> {
  return {
    missing: null,
    encode: (value) => (value === undefined ? null : encode(value)),
    decode: (value, path) => (value === null ? undefined : decode(value, path)),
  };
}

/** What may be undefined, and is left out then. */
export function optional<T>(codec: Codec<T>): Codec<T | undefined> {
  return { ...maybe(codec), encode: (value) => (value === undefined ? undefined : codec.encode(value)) };
}

/** One of some words. Any other is read as `other`, or refused if there's none. */
export function word<const T extends string>(words: readonly T[], other?: NoInfer<T>): Codec<T> {
  return {
    missing: "",
    encode: (value) => value,
    decode: (value, path) => {
      const text = textAt(value, path);
      const found = words.find((each) => each === text) ?? other;
      if (found === undefined) {
        throw new JsonShapeError(path, `one of ${words.join(", ")}`, value);
      }
      return found;
    },
  };
}

/** A text; "" if it's missing. */
export const text = asItIs("", textAt);

/** A Boolean; false if it's missing. */
export const flag = asItIs(false, flagAt);

/** An integer; 0 if it's missing. */
export const integer = asItIs(0, integerAt);

/** A resource, as the daemon names it. */
export const resource: Codec<ResourceId> = asItIs("", (value, path) => toldResourceId(textAt(value, path)));

/** Resources, as the daemon names them. */
export const resources = list(resource);

/** Texts. */
export const texts = list(text);

/** Texts by their keys. */
export const textMap: Codec<Readonly<Record<string, string>>> = asItIs({}, (value, path) =>
  Object.fromEntries(mapAt(value, path, textAt)),
);

/** Any JSON. */
export const json: Codec<JsonValue> = asItIs(null, (value) => value);

/** Any object, as it is. */
export const object: Codec<JsonObject> = asItIs({}, jsonObjectAt);

/** A moment, as Go prints it. */
export const time: Codec<Date> = {
  missing: "",
  encode: printGoTime,
  decode: (value, path) => new Date(textAt(value, path)),
};

/** What is the same as JSON. */
function asItIs<T extends JsonValue>(missing: JsonValue, decode: Decode<T>): Codec<T> {
  return { missing, encode: (value) => value, decode };
}
