/** The parts of the OpenAPI schema of a custom resource. */
import { isJsonObject, type JsonObject } from "@weir/base";

/** The schema of a declared property; undefined where there is none of that name. */
export function propertyOf(schema: JsonObject, name: string): JsonObject | undefined {
  const properties = schema["properties"];
  const found = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isJsonObject(found) ? found : undefined;
}

/** The schema of what is not declared: that of all values of a map. */
export function valuesOf(schema: JsonObject): JsonObject | undefined {
  const additional = schema["additionalProperties"];
  return isJsonObject(additional) ? additional : undefined;
}

/** The schema of a property, declared or not. */
export function fieldOf(schema: JsonObject, name: string): JsonObject | undefined {
  return propertyOf(schema, name) ?? valuesOf(schema);
}

/** The schema of the items of a list. */
export function itemsOf(schema: JsonObject): JsonObject | undefined {
  const items = schema["items"];
  return isJsonObject(items) ? items : undefined;
}

/** The schemas under a keyword such as "anyOf". */
export function branchesOf(schema: JsonObject, keyword: "allOf" | "anyOf" | "oneOf"): readonly JsonObject[] {
  const branches = schema[keyword];
  return Array.isArray(branches) ? branches.filter(isJsonObject) : [];
}

/** True where a marker of the schema is set. */
export function isMarked(schema: JsonObject, marker: string): boolean {
  return schema[marker] === true;
}

/** True where what is not declared is kept. */
export function keepsUnknown(schema: JsonObject): boolean {
  return isMarked(schema, "x-kubernetes-preserve-unknown-fields");
}

/** True where a value is an object of its own, with apiVersion, kind and metadata. */
export function isEmbedded(schema: JsonObject): boolean {
  return isMarked(schema, "x-kubernetes-embedded-resource");
}
