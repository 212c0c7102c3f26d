/**
 * kubectl's template language for `-o jsonpath=TEMPLATE`: text, and in braces paths with fields, positions, slices,
 * unions, filters, `..`, range and end.
 */
import type { JsonValue } from "@weir/base";
import { parseTemplate } from "./parse.ts";
import { printTemplate } from "./print.ts";

export { JsonPathError } from "./error.ts";

/** A parsed template. */
export interface JsonPath {
  /** The template applied to a value. What a path doesn't find is left out. Throws JsonPathError. */
  print(value: JsonValue): string;
}

/** Parses a template. Throws JsonPathError, which names the position and the remedy. */
export function parseJsonPath(template: string): JsonPath {
  const parsed = parseTemplate(template);
  return { print: (value) => printTemplate(parsed, value) };
}
