import { type JsonValue, makeVisible, stringifyGoJson } from "@weir/base";
import { type Flag, text } from "@weir/cli";
import { UsageError } from "../command.ts";
import type { Terminal } from "../terminal.ts";

/** Ways to print what a command found: Flux's table and JSON, and those that kubectl has beside them. */
const outputFormats = ["tab", "json", "yaml", "wide", "name"] as const;

/** One of them. */
export type OutputFormat = (typeof outputFormats)[number];

/** The flag that chooses one. */
export function declareOutputFormat(): Flag<string> {
  return text("output-format", {
    default: "tab",
    usage: "Output format (tab, json, yaml, wide or name)",
    shorthand: "o",
    values: outputFormats,
  });
}

/** What a command found, in each way to print it; only one of them is worked out. */
export interface Printable {
  readonly isEmpty: boolean;
  /** null where there is nothing, as Flux v1 has it. */
  readonly json: () => JsonValue;
  /** A table, with more columns where it may be wide. */
  readonly table: (wide: boolean) => string;
  /** A line for each thing, which another command takes. */
  readonly names: () => readonly string[];
}

/** The format that a flag names. Throws UsageError for an unknown one. */
export function outputFormatOf(name: string): OutputFormat {
  return requireFormat(outputFormats.find((each) => each === name));
}

/**
 * The same for a call that Flux v1 knows, and refuses with YAML: in a script, where nobody sits before a screen, that
 * stays as it is. JSON can be had everywhere.
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

/** What a command found, as text that ends in a newline; JSON as Flux v1 writes it. */
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

/** Texts that older readers of YAML take for something else stand in quotes. */
async function printYaml(value: JsonValue): Promise<string> {
  const { dump } = await import("js-yaml");
  const text = dump(value, { noRefs: true, lineWidth: -1 });
  // JSON is YAML too, and holds by escapes what a terminal would act upon.
  return makeVisible(text) === text ? text : `${makeVisible(JSON.stringify(value, undefined, 2))}\n`;
}
