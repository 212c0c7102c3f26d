/** What a schema in a definition must be like: structural, so that it is known what every field is. */

import { isJsonObject, type JsonObject } from "@weir/base";
import { RE2JS } from "re2js";
import { checkValue } from "../../custom-resources/check-value.ts";
import {
  branchesOf,
  isEmbedded,
  isMarked,
  itemsOf,
  keepsUnknown,
  valuesOf,
} from "../../custom-resources/schema-walk.ts";
import { type FieldError, faults, forbidden, invalid, notSupported, required } from "../../field-errors.ts";
import type { TreeNode } from "../../tree.ts";

type Level = "root" | "field" | "item";

const types = ["array", "boolean", "integer", "number", "object", "string"];

/** What is wrong with a schema. */
export function checkSchema(path: string, schema: JsonObject): FieldError[] {
  // Sorted, as the API server does with what it finds in maps.
  return check(path, schema, "root").sort((a, b) => (printed(a) < printed(b) ? -1 : 1));
}

function printed({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}

function check(path: string, schema: JsonObject, level: Level): FieldError[] {
  const items = itemsOf(schema);
  const values = valuesOf(schema);
  const properties = schema["properties"];
  return faults(
    checkType(path, schema, level),
    checkExtensions(path, schema),
    checkListMap(path, schema),
    checkDefault(path, schema),
    schema["type"] === "array" && items === undefined && required(`${path}.items`, "must be specified"),
    schema["additionalProperties"] !== undefined &&
      level === "root" &&
      forbidden(`${path}.additionalProperties`, "must not be used at the root"),
    items === undefined || check(`${path}.items`, items, "item"),
    values === undefined || check(`${path}.additionalProperties`, values, "field"),
    Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, field]) =>
      isJsonObject(field) && !(level === "root" && name === "metadata")
        ? check(`${path}.properties[${name}]`, field, "field")
        : [],
    ),
    checkPattern(path, schema),
    checkNested(path, schema),
  );
}

const needed: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  field: "must not be empty for specified object fields",
  item: "must not be empty for specified array items",
};

function checkType(path: string, schema: JsonObject, level: Level): FieldError[] {
  const type = schema["type"];
  const at = `${path}.type`;
  if (typeof type !== "string" || type === "") {
    const isFree = isMarked(schema, "x-kubernetes-int-or-string") || keepsUnknown(schema);
    return isFree ? [] : [required(at, needed[level])];
  }
  return faults(
    types.includes(type) || notSupported(at, type, types),
    level === "root" && type !== "object" && invalid(at, type, "must be object at the root"),
    isEmbedded(schema) &&
      type !== "object" &&
      invalid(at, type, "must be object if x-kubernetes-embedded-resource is true"),
  );
}

/** Lists whose items are told apart by keys hold objects, and say which keys. */
function checkListMap(path: string, schema: JsonObject): FieldError[] {
  const keys = schema["x-kubernetes-list-map-keys"];
  const isMap = schema["x-kubernetes-list-type"] === "map";
  const hasKeys = Array.isArray(keys) && keys.length > 0;
  const type = itemsOf(schema)?.["type"];
  const at = `${path}.x-kubernetes-list-map-keys`;
  if (!isMap) {
    return hasKeys ? [forbidden(at, "must not be set if x-kubernetes-list-type is not map")] : [];
  }
  return faults(
    hasKeys || required(at, "must not be empty if x-kubernetes-list-type is map"),
    type === "object" ||
      invalid(
        `${path}.items.type`,
        typeof type === "string" ? type : "",
        "must be object if parent array's x-kubernetes-list-type is map",
      ),
  );
}

/** A default must be what it stands in for. */
function checkDefault(path: string, schema: JsonObject): FieldError[] {
  const value = schema["default"];
  return value === undefined ? [] : checkValue(schema, structuredClone(value) as TreeNode, `${path}.default`);
}

function checkExtensions(path: string, schema: JsonObject): FieldError[] {
  const preserve = "x-kubernetes-preserve-unknown-fields";
  if (schema[preserve] === false) {
    return [invalid(`${path}.${preserve}`, false, "must be true or undefined")];
  }
  const isEither = isMarked(schema, "x-kubernetes-int-or-string");
  const why = "must be false if x-kubernetes-int-or-string is true";
  return ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"].flatMap((marker) =>
    isEither && isMarked(schema, marker) ? [invalid(`${path}.${marker}`, true, why)] : [],
  );
}

function checkPattern(path: string, schema: JsonObject): FieldError[] {
  const pattern = schema["pattern"];
  if (typeof pattern !== "string" || pattern === "") {
    return [];
  }
  try {
    RE2JS.compile(pattern);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : "it cannot be read";
    return [invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${why}`)];
  }
}

const forbiddenWithin: Readonly<Record<string, string>> = {
  type: "must be empty to be structural",
  title: "must be empty to be structural",
  description: "must be empty to be structural",
  default: "must be undefined to be structural",
  nullable: "must be false to be structural",
  additionalProperties: "must be undefined to be structural",
};

/** Within allOf, anyOf, oneOf and not only values are restricted: what a field is stands outside. */
function checkNested(path: string, schema: JsonObject): FieldError[] {
  const isEither = isMarked(schema, "x-kubernetes-int-or-string");
  const not = schema["not"];
  const branches = (["allOf", "anyOf", "oneOf"] as const).flatMap((keyword) =>
    branchesOf(schema, keyword).map((branch, index) => [`${path}.${keyword}[${index}]`, branch] as const),
  );
  const all = isJsonObject(not) ? [...branches, [`${path}.not`, not] as const] : branches;
  // "An integer or a string" is commonly spelt out by the types of both.
  return isEither ? [] : all.flatMap(([at, branch]) => checkBranch(at, branch));
}

function checkBranch(path: string, branch: JsonObject): FieldError[] {
  const properties = branch["properties"];
  const items = itemsOf(branch);
  return faults(
    Object.entries(forbiddenWithin).flatMap(([keyword, why]) => {
      const value = branch[keyword];
      return value === undefined || value === "" || value === false
        ? []
        : [forbidden(`${path}.${keyword}`, why)];
    }),
    Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, field]) =>
      isJsonObject(field) ? checkBranch(`${path}.properties[${name}]`, field) : [],
    ),
    items === undefined || checkBranch(`${path}.items`, items),
    checkPattern(path, branch),
    checkNested(path, branch),
  );
}
