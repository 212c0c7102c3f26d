import type { Command } from "commander";
import type { AnyFlag } from "./flag.ts";
import { printFlagUsages } from "./help.ts";

/** The parts of a command's help that commander doesn't store. */
export interface CommandSections {
  /** Lines that are printed as they are. */
  readonly example: string | undefined;
  readonly flags: readonly AnyFlag[];
  /** Flags that every command accepts. */
  readonly globalFlags: readonly AnyFlag[];
}

/** Prints a command's help like cobra. */
export function printCommandHelp(command: Command, sections: CommandSections): string {
  return `${command.description().trimEnd()}\n\n${printCommandUsage(command, sections)}`;
}

/** Prints a program's help like cobra. */
export function printProgramHelp(program: Command, flags: readonly AnyFlag[]): string {
  return `${program.description().trimEnd()}\n\n${printProgramUsage(program, flags)}`;
}

/** Prints the usage of a program; `flags` are its own flags and the global ones. */
export function printProgramUsage(program: Command, flags: readonly AnyFlag[]): string {
  const name = program.name();
  return `Usage:
  ${name} [command]

Available Commands:${printCommands(program.commands)}${printFlagSection("Flags", flags)}

Use "${name} [command] --help" for more information about a command.
`;
}

/** Prints the usage of a command. */
function printCommandUsage(command: Command, { example, flags, globalFlags }: CommandSections): string {
  const names = [command.name(), ...command.aliases()];
  const aliases = names.length > 1 ? `\n\nAliases:\n  ${names.join(", ")}` : "";
  const line = [command.parent?.name(), command.name(), command.usage()].join(" ");
  const examples = example === undefined ? "" : `\n\nExamples:\n${example}`;
  return `Usage:
  ${line}${aliases}${examples}${printFlagSection("Flags", flags)}${printFlagSection("Global Flags", globalFlags)}
`;
}

function printCommands(commands: readonly Command[]): string {
  const rows = commands.map((command) => [command.name(), command.summary()] as const);
  const width = Math.max(11, ...rows.map(([name]) => name.length));
  const sorted = rows.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, short]) => `\n  ${name.padEnd(width)} ${short}`).join("");
}

function printFlagSection(title: string, flags: readonly AnyFlag[]): string {
  const usages = printFlagUsages(flags).trimEnd();
  return usages === "" ? "" : `\n\n${title}:\n${usages}`;
}
