/** What a schema in a definition must be like: structural, so that it is known what every field is. */

import { isJsonObject } from "@weir/base";
import { RE2JS } from "re2js";
import { checkValue } from "../../custom-resources/check-value.ts";
import { type FieldError, faults } from "../../field-errors.ts";
import { cloneNode } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import type { TextRule } from "../../validate/text-rules.ts";

type Level = "root" | "field" | "item";

/** What is wrong with a schema, where there is one. */
export function checkSchema(schema: Field): FieldError[] {
  // Sorted, as the API server does with what it finds in maps.
  return schema.isSet ? check(schema, "root").sort((a, b) => (printed(a) < printed(b) ? -1 : 1)) : [];
}

function printed({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}

function check(schema: Field, level: Level): FieldError[] {
  const [items, values] = [schema.at("items"), schema.at("additionalProperties")];
  const properties = schema
    .at("properties")
    .entries.filter(([name, field]) => isSchema(field) && !(level === "root" && name === "metadata"));
  return faults(
    checkType(schema, level),
    checkExtensions(schema),
    checkListMap(schema),
    checkDefault(schema),
    schema.at("type").text === "array" && !isSchema(items) && items.required("must be specified"),
    level === "root" && values.isSet && values.forbidden("must not be used at the root"),
    isSchema(items) && check(items, "item"),
    isSchema(values) && check(values, "field"),
    properties.flatMap(([, field]) => check(field, "field")),
    schema.at("pattern").check(regularExpression),
    checkNested(schema),
  );
}

/** Other than the true or false that may stand in the place of a schema. */
function isSchema({ value }: Field): boolean {
  return isJsonObject(value);
}

const isEitherMark = "x-kubernetes-int-or-string";
const preserveMark = "x-kubernetes-preserve-unknown-fields";
const embeddedMark = "x-kubernetes-embedded-resource";

const needed: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  field: "must not be empty for specified object fields",
  item: "must not be empty for specified array items",
};

const types = ["array", "boolean", "integer", "number", "object", "string"];

function checkType(schema: Field, level: Level): FieldError[] {
  const type = schema.at("type");
  if (type.text === "") {
    const isFree = schema.at(isEitherMark).isTrue || schema.at(preserveMark).isTrue;
    return isFree ? [] : [type.required(needed[level])];
  }
  const isObject = type.text === "object";
  return faults(
    type.oneOf(types),
    level === "root" && !isObject && type.invalid("must be object at the root"),
    schema.at(embeddedMark).isTrue && !isObject && type.invalid(`must be object if ${embeddedMark} is true`),
  );
}

/** Lists whose items are told apart by keys hold objects, and say which keys. */
function checkListMap(schema: Field): FieldError[] {
  const keys = schema.at("x-kubernetes-list-map-keys");
  const hasKeys = keys.items.length > 0;
  if (schema.at("x-kubernetes-list-type").text !== "map") {
    return faults(hasKeys && keys.forbidden("must not be set if x-kubernetes-list-type is not map"));
  }
  const type = schema.at("items.type");
  const why = "must be object if parent array's x-kubernetes-list-type is map";
  return faults(
    hasKeys || keys.required("must not be empty if x-kubernetes-list-type is map"),
    type.text === "object" || type.invalid(why, type.text),
  );
}

/** A default must be what it stands in for. */
function checkDefault(schema: Field): FieldError[] {
  const { value, path } = schema.at("default");
  return value === undefined ? [] : checkValue(cloneNode(schema.tree), cloneNode(value), path);
}

function checkExtensions(schema: Field): FieldError[] {
  const preserve = schema.at(preserveMark);
  if (preserve.value === false) {
    return [preserve.invalid("must be true or undefined")];
  }
  const isEither = schema.at(isEitherMark).isTrue;
  const why = `must be false if ${isEitherMark} is true`;
  return schema.all([preserveMark, embeddedMark], (mark) => isEither && mark.isTrue && mark.invalid(why));
}

const regularExpression: TextRule = (pattern) => {
  try {
    RE2JS.compile(pattern);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : "it cannot be read";
    return [`must be a valid regular expression, but isn't: ${why}`];
  }
};

const structural = {
  type: "empty",
  title: "empty",
  description: "empty",
  default: "undefined",
  nullable: "false",
  additionalProperties: "undefined",
};

/** Within allOf, anyOf, oneOf and not only values are restricted: what a field is stands outside. */
function checkNested(schema: Field): FieldError[] {
  const branches = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => schema.at(keyword).items);
  // "An integer or a string" is commonly spelt out by the types of both.
  return schema.at(isEitherMark).isTrue
    ? []
    : [...branches, schema.at("not")].filter(isSchema).flatMap(checkBranch);
}

function checkBranch(branch: Field): FieldError[] {
  const properties = branch.at("properties").entries.map(([, field]) => field);
  return faults(
    Object.entries(structural).flatMap(([keyword, what]) => {
      const field = branch.at(keyword);
      const isEmpty = field.value === undefined || field.value === "" || field.value === false;
      return faults(isEmpty || field.forbidden(`must be ${what} to be structural`));
    }),
    [...properties, branch.at("items")].filter(isSchema).flatMap(checkBranch),
    branch.at("pattern").check(regularExpression),
    checkNested(branch),
  );
}
