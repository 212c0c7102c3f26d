import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf, membersOf } from "@weir/base";

/** The subset of JSON Schema that a .flux.yaml needs. */
export interface Schema {
  readonly type?: "object" | "array" | "string";
  readonly const?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  /** False if only the listed properties are allowed. */
  readonly additionalProperties?: false;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

/**
 * The parts of a value that don't fit a schema, with the messages and order of gojsonschema 1.2.0, which users of Flux
 * know. If one of several schemas must fit, returns the errors of the closest one.
 */
export function schemaErrors(value: JsonValue, schema: Schema): readonly string[] {
  return check(value, schema, []).errors;
}

/** The result of a check; the higher the score, the closer the match. */
interface Findings {
  readonly errors: readonly string[];
  readonly score: number;
}

/** The scores of values that fit, by type. */
const scores = { null: 2, boolean: 2, integer: 3, number: 3, string: 3, array: 3, object: 3 };
const fault = -2;

function check(value: JsonValue, schema: Schema, path: readonly string[]): Findings {
  const given = typeOf(value);
  if (schema.type !== undefined && schema.type !== given) {
    return faulty(path, `Invalid type. Expected: ${schema.type}, given: ${given}`);
  }
  return sumOf([
    checkOneOf(value, schema.oneOf ?? [], path),
    ...(isJsonObject(value) ? checkMembers(value, schema, path) : []),
    ...(isJsonArray(value) ? checkItems(value, schema, path) : []),
    checkConst(value, schema, path),
    ...(isJsonObject(value) ? checkProperties(value, schema, path) : []),
    { errors: [], score: scores[given] },
  ]);
}

function checkOneOf(value: JsonValue, schemas: readonly Schema[], path: readonly string[]): Findings {
  const findings = schemas.map((schema) => check(value, schema, path));
  const fitting = findings.filter(({ errors }) => errors.length === 0);
  if (schemas.length === 0 || fitting.length === 1) {
    return nothing;
  }
  const closest = fitting.length > 0 ? nothing : findings.reduce((a, b) => (b.score > a.score ? b : a));
  return sumOf([faulty(path, "Must validate one and only one schema (oneOf)"), closest]);
}

function checkMembers(
  value: JsonObject,
  { required = [], properties = {}, additionalProperties }: Schema,
  path: readonly string[],
): readonly Findings[] {
  const others = [...membersOf(value)].map(([key]) => key).filter((key) => !Object.hasOwn(properties, key));
  return [
    ...required.map((key) =>
      memberOf(value, key) === undefined ? faulty(path, `${key} is required`) : { errors: [], score: 1 },
    ),
    ...(additionalProperties === false ? others : []).map((key) =>
      faulty(path, `Additional property ${key} is not allowed`),
    ),
  ];
}

function checkItems(
  value: readonly JsonValue[],
  { items }: Schema,
  path: readonly string[],
): readonly Findings[] {
  return items === undefined ? [] : value.map((item, index) => check(item, items, [...path, String(index)]));
}

function checkConst(value: JsonValue, schema: Schema, path: readonly string[]): Findings {
  return schema.const === undefined || value === schema.const
    ? nothing
    : faulty(path, `${fieldOf(path)} does not match: ${schema.const}`);
}

function checkProperties(
  value: JsonObject,
  { properties = {} }: Schema,
  path: readonly string[],
): readonly Findings[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const member = memberOf(value, key);
    return member === undefined ? [] : [check(member, schema, [...path, key])];
  });
}

const nothing: Findings = { errors: [], score: 0 };

function faulty(path: readonly string[], description: string): Findings {
  return { errors: [`${fieldOf(path)}: ${description}`], score: fault };
}

function fieldOf(path: readonly string[]): string {
  return path.length === 0 ? "(root)" : path.join(".");
}

function sumOf(findings: readonly Findings[]): Findings {
  return {
    errors: findings.flatMap(({ errors }) => errors),
    score: findings.reduce((sum, { score }) => sum + score, 0),
  };
}

function typeOf(value: JsonValue): keyof typeof scores {
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    case "object":
      return value === null ? "null" : isJsonArray(value) ? "array" : "object";
    default:
      return typeof value === "string" ? "string" : "boolean";
  }
}
