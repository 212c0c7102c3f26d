import { compareGoStrings } from "@weir/base";
import type { AnyFlag } from "./flag.ts";

/**
 * Prints the help lines for flags like pflag's FlagUsages: sorted by name, usages in one column, deprecated
 * flags omitted. Ends with a newline unless there are no flags.
 */
export function printFlagUsages(flags: readonly AnyFlag[]): string {
  const rows = flags
    .filter(({ declaration }) => declaration.deprecated === undefined)
    .toSorted((a, b) => compareGoStrings(a.declaration.name, b.declaration.name))
    .map((flag) => [printNames(flag), printUsage(flag)] as const);
  const width = Math.max(0, ...rows.map(([names]) => names.length));
  return rows.map(([names, usage]) => `${names.padEnd(width)}   ${usage}\n`).join("");
}

function printNames({ declaration, type }: AnyFlag): string {
  const { name, shorthand } = declaration;
  const names = shorthand === undefined ? `      --${name}` : `  -${shorthand}, --${name}`;
  const word = quotedWord(declaration.usage) ?? type.word;
  return names + (word === "" ? "" : ` ${word}`) + printBare(type);
}

/** The meaning of a flag without a value, if it isn't obvious. */
function printBare({ word, bareText }: AnyFlag["type"]): string {
  if (
    bareText === undefined ||
    (word === "" && bareText === "true") ||
    (word === "count" && bareText === "+1")
  ) {
    return "";
  }
  return word === "string" ? `[="${bareText}"]` : `[=${bareText}]`;
}

function printUsage(flag: AnyFlag): string {
  const standard = flag.printDefault();
  const usage = flag.declaration.usage.replace(/`([^`]*)`/, "$1");
  return usage + (standard === undefined ? "" : ` (default ${standard})`);
}

function quotedWord(usage: string): string | undefined {
  return /`([^`]*)`/.exec(usage)?.[1];
}
