import { isJsonArray, isJsonObject, type JsonValue } from "@weir/base";
import { DocumentError } from "./errors.ts";

/** Throws DocumentError, with the message of Go's JSON package, if the spec or its values aren't a mapping. */
export function checkHelmRelease(document: JsonValue): void {
  const apiVersion = memberOf(document, "apiVersion");
  if (apiVersion !== undefined && apiVersion !== null && typeof apiVersion !== "string") {
    throw misfit(apiVersion, "HelmRelease.baseObject.APIVersion", "string");
  }
  const spec = memberOf(document, "spec");
  checkMapping(spec, "HelmRelease.Spec", "struct { Values map[string]interface {} }");
  checkMapping(memberOf(spec, "values"), ".Spec.Values", "map[string]interface {}");
}

function checkMapping(value: JsonValue | undefined, field: string, type: string): void {
  if (value !== undefined && value !== null && !isJsonObject(value)) {
    throw misfit(value, field, type);
  }
}

function misfit(value: JsonValue, field: string, type: string): DocumentError {
  return new DocumentError(
    `error unmarshaling JSON: json: cannot unmarshal ${typeName(value)} into Go struct field ${field} of type ${type}`,
  );
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Go's names for the types of JSON. */
function typeName(value: JsonValue): string {
  if (typeof value === "boolean") {
    return "bool";
  }
  return isJsonArray(value) ? "array" : typeof value;
}
