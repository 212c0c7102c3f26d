import { type JsonValue, makeVisible, stringifyGoJson } from "@weir/base";
import { type Flag, text } from "@weir/cli";
import { type JsonPath, JsonPathError, parseJsonPath } from "@weir/cli/jsonpath";
import { UsageError } from "../command.ts";
import type { Terminal } from "../terminal.ts";

/** The output formats with a fixed form: Flux's table and JSON, and kubectl's additional ones. */
const fixedFormats = ["tab", "json", "yaml", "wide", "name"] as const;

/** How the format with a template begins. */
export const templatePrefix = "jsonpath=";

/** An output format. */
export type OutputFormat = (typeof fixedFormats)[number] | JsonPath;

/** Declares the flag for the output format. */
export function declareOutputFormat(): Flag<string> {
  return text("output-format", {
    default: "tab",
    usage: "Output format (tab, json, yaml, wide, name or jsonpath=TEMPLATE)",
    shorthand: "o",
    values: [...fixedFormats, templatePrefix],
  });
}

/** A result that can be printed in each format; only the requested one is computed. */
export interface Printable {
  readonly isEmpty: boolean;
  /** null if there is nothing, as in Flux v1. */
  readonly json: () => JsonValue;
  /** A table, with more columns if it's wide. */
  readonly table: (wide: boolean) => string;
  /** A line for each item, as input for another command. */
  readonly names: () => readonly string[];
}

/** Parses an output format. Throws UsageError for an unknown one, or an invalid template. */
export function outputFormatOf(name: string): OutputFormat {
  return templateOf(name) ?? requireFormat(fixedFormats.find((each) => each === name));
}

/** Parses the format with a template; undefined for any other. Throws UsageError for an invalid template. */
export function templateOf(name: string): JsonPath | undefined {
  if (!name.startsWith(templatePrefix)) {
    return undefined;
  }
  const template = name.slice(templatePrefix.length);
  if (template === "") {
    throw new UsageError("the template for jsonpath is missing", { advice: [templateExample] });
  }
  try {
    return parseJsonPath(template);
  } catch (error) {
    throw error instanceof JsonPathError
      ? new UsageError(error.message, { advice: [templateExample] })
      : error;
  }
}

const templateExample =
  "A template is written as for kubectl, and is applied to what -o json prints: -o jsonpath='{range [*]}{.ID}{\"\\n\"}{end}'";

/**
 * Like outputFormatOf, for commands that Flux v1 has, where it refuses YAML: without a terminal, in a script,
 * that stays the same. JSON is always available.
 */
export function fluxOutputFormatOf(name: string, { screen, errScreen }: Terminal): OutputFormat {
  const isScript = screen === undefined && errScreen === undefined;
  return requireFormat(isScript && name === "yaml" ? undefined : outputFormatOf(name));
}

function requireFormat(format: OutputFormat | undefined): OutputFormat {
  if (format === undefined) {
    throw new UsageError("invalid output format specified", {
      advice: [`The formats are ${[...fixedFormats, `${templatePrefix}TEMPLATE`].join(", ")}.`],
    });
  }
  return format;
}

/** Prints a result as text that ends with a newline, unless a template says otherwise; JSON as in Flux v1. */
export async function printAs(format: OutputFormat, found: Printable): Promise<string> {
  if (typeof format === "object") {
    return format.print(found.json() ?? []);
  }
  switch (format) {
    case "json":
      return `${stringifyGoJson(found.json(), { sortKeys: false })}\n`;
    case "yaml":
      return printYaml(found.json() ?? []);
    case "name":
      return found
        .names()
        .map((name) => `${name}\n`)
        .join("");
    case "tab":
    case "wide":
      return found.table(format === "wide");
  }
}

/** Strings that older YAML parsers misread are quoted. */
async function printYaml(value: JsonValue): Promise<string> {
  const { dump } = await import("js-yaml");
  const text = dump(value, { noRefs: true, lineWidth: -1 });
  // JSON is valid YAML, and escapes the characters that a terminal would interpret.
  return makeVisible(text) === text ? text : `${makeVisible(JSON.stringify(value, undefined, 2))}\n`;
}
