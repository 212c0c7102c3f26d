/** The schemas of built-in types with their descriptions, in both versions of OpenAPI. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { ApiText } from "../schema/api-data-format.ts";
import type { ApiTypes } from "../schema/api-types.ts";

const prefixV3 = "#/components/schemas/";
const prefixV2 = "#/definitions/";

/** The OpenAPI v3 schema of a type; undefined where there is none of that name. */
export function describedSchema(types: ApiTypes, text: ApiText, name: string): JsonObject | undefined {
  const data = Object.hasOwn(types.data.types, name) ? types.data.types[name] : undefined;
  if (data === undefined) {
    return undefined;
  }
  const [description = "", ...fieldTexts] = text[name] ?? [];
  const keywords = Object.fromEntries(Object.entries(data).filter(([key]) => key !== "fields"));
  const properties = Object.fromEntries(
    data.fields.map(([field, , , schema], at) => [field, described(schema, fieldTexts[at] ?? "")]),
  );
  // What the data file holds is JSON.
  const schema = keywords as JsonObject;
  return described(data.fields.length === 0 ? schema : { ...schema, properties }, description);
}

/** The names of the types that a schema refers to. */
export function* refsIn(value: JsonValue | undefined): Generator<string> {
  if (isJsonArray(value)) {
    for (const item of value) {
      yield* refsIn(item);
    }
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (key === "$ref" && typeof item === "string") {
        yield item.slice(item.lastIndexOf("/") + 1);
      } else {
        yield* refsIn(item);
      }
    }
  }
}

/** A schema of OpenAPI v3 as v2 can say it: plain references, no defaults, one type. */
export function toV2(schema: JsonObject): JsonObject {
  const made: Record<string, JsonValue | undefined> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "allOf") {
      Object.assign(made, onlyRef(value));
    } else if (key === "$ref" && typeof value === "string") {
      made["$ref"] = value.replace(prefixV3, prefixV2);
    } else if (key === "oneOf" || key === "anyOf") {
      made["type"] ??= "string";
    } else if (key === "properties" && isJsonObject(value)) {
      made[key] = Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, isJsonObject(one) ? toV2(one) : one]),
      );
    } else if (!droppedInV2.has(key)) {
      made[key] = isJsonObject(value) && nested.has(key) ? toV2(value) : value;
    }
  }
  return made;
}

const droppedInV2 = new Set(["default", "nullable", "not"]);
const nested = new Set(["items", "additionalProperties"]);

function onlyRef(value: JsonValue | undefined): object {
  const [first] = isJsonArray(value) ? value : [];
  const ref = isJsonObject(first) ? first["$ref"] : undefined;
  return typeof ref === "string" ? { $ref: ref.replace(prefixV3, prefixV2) } : {};
}

function described(schema: JsonObject, description: string): JsonObject {
  return description === "" ? schema : { description, ...schema };
}
