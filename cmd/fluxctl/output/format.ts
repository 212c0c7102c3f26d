import { type JsonValue, makeVisible, stringifyGoJson } from "@weir/base";
import { type Flag, text } from "@weir/cli";
import { UsageError } from "../command.ts";
import type { Terminal } from "../terminal.ts";

/** The output formats: Flux's table and JSON, and kubectl's additional ones. */
const outputFormats = ["tab", "json", "yaml", "wide", "name"] as const;

/** An output format. */
export type OutputFormat = (typeof outputFormats)[number];

/** Declares the flag for the output format. */
export function declareOutputFormat(): Flag<string> {
  return text("output-format", {
    default: "tab",
    usage: "Output format (tab, json, yaml, wide or name)",
    shorthand: "o",
    values: outputFormats,
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

/** Parses an output format. Throws UsageError for an unknown one. */
export function outputFormatOf(name: string): OutputFormat {
  return requireFormat(outputFormats.find((each) => each === name));
}

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
      advice: [`The formats are ${outputFormats.join(", ")}.`],
    });
  }
  return format;
}

/** Prints a result as text that ends with a newline; JSON as in Flux v1. */
export async function printAs(format: OutputFormat, found: Printable): Promise<string> {
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
