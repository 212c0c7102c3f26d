import { type JsonValue, stringifyGoJson } from "@weir/base";
import { Evaluation } from "./evaluate.ts";
import type { Template } from "./template.ts";

/**
 * Prints a value through a template. The results of one expression are separated by spaces; objects and lists are
 * printed as JSON. Throws JsonPathError.
 */
export function printTemplate(template: Template, value: JsonValue): string {
  return printParts(template, value, new Evaluation());
}

function printParts(template: Template, value: JsonValue, evaluation: Evaluation): string {
  let printed = "";
  evaluation.visit(template.length);
  for (const part of template) {
    switch (part.kind) {
      case "text":
        printed += part.text;
        break;
      case "print":
        printed += evaluation.find(value, part.path).map(printResult).join(" ");
        break;
      case "range":
        for (const item of evaluation.find(value, part.path)) {
          printed += printParts(part.body, item, evaluation);
        }
        break;
    }
  }
  return printed;
}

function printResult(value: JsonValue): string {
  if (typeof value === "number") {
    return printNumber(value);
  }
  return typeof value === "object" && value !== null ? stringifyGoJson(value) : String(value);
}

/** As Go prints a number: in scientific notation below 0.0001, with at least two digits in the exponent. */
function printNumber(value: number): string {
  const text = value !== 0 && Math.abs(value) < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}
