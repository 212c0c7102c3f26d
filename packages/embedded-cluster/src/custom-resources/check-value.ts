/** Checks custom resources against their schemas, in the words of the API server. */

import type { JsonObject } from "@weir/base";
import { RE2JS } from "re2js";
import {
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "../field-errors.ts";
import { equalNodes, isTree, type Tree, type TreeNode } from "../tree.ts";
import { checkBranches } from "./check-branches.ts";
import { isOfFormat } from "./formats.ts";
import { itemsOf, propertyOf, valuesOf } from "./schema-walk.ts";

/** What is wrong with a value; `path` is "" for the whole object. */
export function checkValue(schema: JsonObject, value: TreeNode, path: string): FieldError[] {
  const types = typesOf(schema);
  if (value === null) {
    const isAllowed = types.length === 0 || schema["nullable"] === true;
    return [...(isAllowed ? [] : [wrongType(path, types, "null")]), ...checkEnum(schema, value, path)];
  }
  return [
    ...checkType(schema, types, value, path),
    ...checkBranches(schema, path, (branch) => checkValue(branch, value, path)),
    ...(typeof value === "string" ? checkText(schema, value, path) : []),
    ...(typeof value === "number" ? checkNumber(schema, value, path) : []),
    ...(Array.isArray(value) ? checkList(schema, value, path) : []),
    ...checkEnum(schema, value, path),
    ...(isTree(value) ? checkObject(schema, value, path) : []),
  ];
}

function typesOf(schema: JsonObject): readonly string[] {
  const type = schema["type"];
  if (schema["x-kubernetes-int-or-string"] === true) {
    return ["integer", "string"];
  }
  return typeof type === "string" && type !== "" ? [type] : [];
}

function typeOf(value: TreeNode): string {
  if (Array.isArray(value)) {
    return "array";
  }
  if (typeof value === "number") {
    return Number.isInteger(value) ? "integer" : "number";
  }
  return typeof value === "object" ? "object" : typeof value;
}

function checkType(
  schema: JsonObject,
  types: readonly string[],
  value: TreeNode,
  path: string,
): FieldError[] {
  const type = typeOf(value);
  const format = schema["format"];
  const isFree =
    types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));
  // A text with a format is looked at by its format alone.
  const isFormatted = typeof format === "string" && format !== "" && (type === "string" || type === "array");
  const isNumeric = types.includes("number") || types.includes("integer");
  return isFree || (isFormatted && !isNumeric) ? [] : [wrongType(path, types, type)];
}

/** As the API server says it: the value that it shows is the type that it found. */
function wrongType(path: string, types: readonly string[], found: string): FieldError {
  return typeInvalid(
    path,
    found,
    `${inBody(path)} must be of type ${types.join(",")}: ${JSON.stringify(found)}`,
  );
}

function inBody(path: string): string {
  return `${path} in body`;
}

function checkText(schema: JsonObject, text: string, path: string): FieldError[] {
  const length = [...segmenter.segment(text)].length;
  const [most, least, pattern, format] = [
    schema["maxLength"],
    schema["minLength"],
    schema["pattern"],
    schema["format"],
  ];
  return [
    ...(typeof most === "number" && length > most ? [tooLong(path, most)] : []),
    ...(typeof least === "number" && length < least
      ? [invalid(path, text, `${inBody(path)} should be at least ${least} chars long`)]
      : []),
    ...(typeof pattern === "string" && pattern !== "" && !isMatch(pattern, text)
      ? [invalid(path, text, `${inBody(path)} should match '${pattern}'`)]
      : []),
    ...(typeof format === "string" && !isOfFormat(format, text)
      ? [typeInvalid(path, text, `${inBody(path)} must be of type ${format}: ${JSON.stringify(text)}`)]
      : []),
  ];
}

/** Code points, as Go counts characters. */
const segmenter = { segment: (text: string) => Array.from(text) };

/** Patterns are those of RE2, which take no longer for hostile texts; one that cannot be read matches nothing. */
export function isMatch(pattern: string, text: string): boolean {
  try {
    return RE2JS.compile(pattern).matcher(text).find();
  } catch {
    return false;
  }
}

function checkNumber(schema: JsonObject, value: number, path: string): FieldError[] {
  const { multipleOf, maximum, minimum } = schema;
  const bound = (limit: unknown, isBeyond: boolean, words: string): FieldError[] =>
    typeof limit === "number" && isBeyond
      ? [invalid(path, value, `${inBody(path)} should be ${words} ${limit}`)]
      : [];
  const [most, least] = [Number(maximum), Number(minimum)];
  const isBelow = schema["exclusiveMaximum"] === true;
  const isAbove = schema["exclusiveMinimum"] === true;
  return [
    ...bound(multipleOf, !Number.isInteger(value / Number(multipleOf)), "a multiple of"),
    ...bound(
      maximum,
      isBelow ? value >= most : value > most,
      isBelow ? "less than" : "less than or equal to",
    ),
    ...bound(
      minimum,
      isAbove ? value <= least : value < least,
      isAbove ? "greater than" : "greater than or equal to",
    ),
  ];
}

function checkList(schema: JsonObject, list: readonly TreeNode[], path: string): FieldError[] {
  const items = itemsOf(schema);
  const { minItems, maxItems } = schema;
  const isTwice = schema["uniqueItems"] === true && hasTwins(list);
  return [
    ...(items === undefined
      ? []
      : list.flatMap((item, index) => checkValue(items, item, `${path}[${index}]`))),
    ...(typeof minItems === "number" && list.length < minItems
      ? [invalid(path, list.length, `${inBody(path)} should have at least ${minItems} items`)]
      : []),
    ...(typeof maxItems === "number" && list.length > maxItems ? [tooMany(path, list.length, maxItems)] : []),
    ...(isTwice ? [invalid(path, "", `${inBody(path)} shouldn't contain duplicates`)] : []),
  ];
}

function hasTwins(list: readonly TreeNode[]): boolean {
  return list.some((item, index) => list.slice(0, index).some((other) => equalNodes(other, item)));
}

function checkEnum(schema: JsonObject, value: TreeNode, path: string): FieldError[] {
  const known = schema["enum"];
  if (!Array.isArray(known) || known.some((one) => equalNodes(one as TreeNode, value))) {
    return [];
  }
  const texts = known.map((one: unknown) => (typeof one === "string" ? one : JSON.stringify(one)));
  return [notSupported(path, value, texts)];
}

function checkObject(schema: JsonObject, object: Tree, path: string): FieldError[] {
  const keys = Object.keys(object);
  const { minProperties, maxProperties } = schema;
  const needed = Array.isArray(schema["required"]) ? schema["required"] : [];
  const values = valuesOf(schema);
  const below = (key: string): string => (path === "" ? key : `${path}.${key}`);
  return [
    ...(typeof minProperties === "number" && keys.length < minProperties
      ? [invalid(path, keys.length, `${inBody(path)} should have at least ${minProperties} properties`)]
      : []),
    ...(typeof maxProperties === "number" && keys.length > maxProperties
      ? [tooMany(path, keys.length, maxProperties)]
      : []),
    ...keys.flatMap((key) => {
      const field = propertyOf(schema, key) ?? values;
      return field === undefined ? [] : checkValue(field, object[key] ?? null, below(key));
    }),
    ...needed.flatMap((key) =>
      typeof key === "string" && !Object.hasOwn(object, key) ? [required(below(key))] : [],
    ),
  ];
}
