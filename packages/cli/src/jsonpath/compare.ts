import { compareGoStrings, type JsonValue } from "@weir/base";
import type { Operator } from "./template.ts";

/** Two values can't be compared. */
export class ComparisonError extends Error {
  override readonly name = "ComparisonError";
}

/**
 * Compares two values: numbers by their size, strings by their bytes, and booleans only for equality. Throws
 * ComparisonError for other values, and for values of different types.
 */
export function compare(left: JsonValue, operator: Operator, right: JsonValue): boolean {
  const isOrder = operator !== "==" && operator !== "!=";
  if (typeof left === "number" && typeof right === "number") {
    return holds(operator, left - right);
  }
  if (typeof left === "string" && typeof right === "string") {
    return holds(operator, compareGoStrings(left, right));
  }
  if (typeof left === "boolean" && typeof right === "boolean" && !isOrder) {
    return holds(operator, left === right ? 0 : 1);
  }
  throw new ComparisonError(`${describe(left)} ${operator} ${describe(right)} cannot be compared`);
}

/** Whether an operator holds for two values, given the sign of their difference. */
function holds(operator: Operator, difference: number): boolean {
  switch (operator) {
    case "==":
      return difference === 0;
    case "!=":
      return difference !== 0;
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
  }
}

/** What kind of value it is, with an article. */
export function describe(value: JsonValue): string {
  if (value === null) {
    return "null";
  }
  if (typeof value === "object") {
    return Array.isArray(value) ? "a list" : "an object";
  }
  return `a ${typeof value}`;
}
