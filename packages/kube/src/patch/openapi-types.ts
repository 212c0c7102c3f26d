import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf, membersOf } from "@weir/base";
import type { GroupVersionKind } from "../gvk.ts";
import { type FieldRules, parseStrategies, type TypeFields } from "./patch-types.ts";

/** The type of quantities in the API: "100m", "1Gi". */
const quantityType = "io.k8s.apimachinery.pkg.api.resource.Quantity";

/**
 * The named types of an API server's OpenAPI document, version 2 (`definitions`) or 3 (`components.schemas`);
 * empty if the document has neither.
 */
export function typesOfDocument(document: unknown): JsonObject {
  const root = asObject(document);
  const components = asObject(memberOf(root, "components"));
  return asObject(memberOf(root, "definitions") ?? memberOf(components, "schemas"));
}

/** Looks up the fields of the types in a document. */
export function openApiFields(types: JsonObject): TypeFields {
  return (type) => {
    const definition = memberOf(types, type);
    return definition === undefined ? undefined : fieldsOf(asObject(definition));
  };
}

/** The kinds that a type is served as; none for a type that is only a part of others. */
export function kindsOfType(definition: JsonValue): readonly GroupVersionKind[] {
  const kinds = memberOf(asObject(definition), "x-kubernetes-group-version-kind");
  return kinds !== undefined && isJsonArray(kinds) ? kinds.map(asObject).map(toKind) : [];
}

function toKind(kind: JsonObject): GroupVersionKind {
  return { group: textOf(kind, "group"), version: textOf(kind, "version"), kind: textOf(kind, "kind") };
}

function fieldsOf(definition: JsonObject): ReadonlyMap<string, FieldRules> {
  const properties = asObject(memberOf(definition, "properties"));
  return new Map([...membersOf(properties)].map(([name, property]) => [name, rulesOf(asObject(property))]));
}

function rulesOf(property: JsonObject): FieldRules {
  const mergeKey = textOf(property, "x-kubernetes-patch-merge-key");
  const ofMap = typeOf(memberOf(property, "additionalProperties"));
  const type = typeOf(property) ?? typeOf(memberOf(property, "items"));
  const isQuantity = (type ?? ofMap) === quantityType;
  return {
    strategies: parseStrategies(textOf(property, "x-kubernetes-patch-strategy")),
    ...(mergeKey === "" ? {} : { mergeKey }),
    ...(type === undefined || isQuantity ? {} : { type }),
    ...(isQuantity ? { isQuantity } : {}),
  };
}

/** The type that a schema refers to: directly (version 2), or as the only member of `allOf` (version 3). */
function typeOf(schema: JsonValue | undefined): string | undefined {
  const direct = asObject(schema);
  const all = memberOf(direct, "allOf");
  const [first] = all !== undefined && isJsonArray(all) ? all : [];
  const reference = textOf(direct, "$ref") || textOf(asObject(first), "$ref");
  return reference === "" ? undefined : reference.slice(reference.lastIndexOf("/") + 1);
}

function textOf(object: JsonObject, key: string): string {
  const text = memberOf(object, key);
  return typeof text === "string" ? text : "";
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
