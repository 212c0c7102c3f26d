/** The keywords of schemas that put others together: allOf, anyOf, oneOf, not. */
import { isJsonObject, type JsonObject } from "@weir/base";
import { type FieldError, invalid } from "../field-errors.ts";
import { branchesOf } from "./schema-walk.ts";

/** What is wrong with a value by such keywords; `check` looks at it by one schema. */
export function checkBranches(
  schema: JsonObject,
  path: string,
  check: (branch: JsonObject) => FieldError[],
): FieldError[] {
  const run = (keyword: "allOf" | "anyOf" | "oneOf") => branchesOf(schema, keyword).map(check);
  return [
    ...checkAny(run("anyOf"), path),
    ...checkOne(run("oneOf"), path),
    ...checkAll(run("allOf"), path),
    ...checkNot(schema["not"], path, check),
  ];
}

/** Such faults are of no field: the API server writes "<nil>" where a field would stand. */
function noField(path: string, why: string): FieldError {
  return invalid("<nil>", "", `${JSON.stringify(path)} ${why}`);
}

function checkAny(results: readonly FieldError[][], path: string): FieldError[] {
  const isGood = results.length === 0 || results.some((errors) => errors.length === 0);
  return isGood ? [] : [noField(path, "must validate at least one schema (anyOf)"), ...fewest(results)];
}

function checkOne(results: readonly FieldError[][], path: string): FieldError[] {
  const good = results.filter((errors) => errors.length === 0).length;
  if (results.length === 0 || good === 1) {
    return [];
  }
  const found = good === 0 ? "Found none valid" : `Found ${good} valid alternatives`;
  return [
    noField(path, `must validate one and only one schema (oneOf). ${found}`),
    ...(good === 0 ? fewest(results) : []),
  ];
}

function checkAll(results: readonly FieldError[][], path: string): FieldError[] {
  const good = results.filter((errors) => errors.length === 0).length;
  const none = good === 0 ? ". None validated" : "";
  return good === results.length
    ? []
    : [...results.flat(), noField(path, `must validate all the schemas (allOf)${none}`)];
}

function checkNot(schema: unknown, path: string, check: (branch: JsonObject) => FieldError[]): FieldError[] {
  return isJsonObject(schema) && check(schema).length === 0
    ? [noField(path, "must not validate the schema (not)")]
    : [];
}

/** The faults of the schema that comes closest. */
function fewest(results: readonly FieldError[][]): readonly FieldError[] {
  return results.reduce((best, errors) => (errors.length < best.length ? errors : best), results[0] ?? []);
}
