import type { AnyFlag } from "./flag.ts";
import { printFlagUsages } from "./help.ts";

/** What help tells of a command. */
export interface CommandDescription {
  /** Its name and what follows it, e.g. "completion SHELL". */
  readonly use: string;
  readonly aliases?: readonly string[];
  readonly short: string;
  readonly long?: string;
  /** Lines as they are to be shown. */
  readonly example?: string;
  readonly flags: readonly AnyFlag[];
  /** Leaves "[flags]" out of the line that shows its use. */
  readonly hidesFlagsInUse?: boolean;
}

/** What help tells of a program with commands. */
export interface ProgramDescription {
  readonly name: string;
  readonly long: string;
  /** Flags of every command. */
  readonly flags: readonly AnyFlag[];
  readonly commands: readonly { readonly name: string; readonly short: string }[];
}

/** The help of a command, as cobra prints it. */
export function printCommandHelp(program: ProgramDescription, command: CommandDescription): string {
  return `${(command.long ?? command.short).trimEnd()}\n\n${printCommandUsage(program, command)}`;
}

/** The help of a program, as cobra prints it. */
export function printProgramHelp(program: ProgramDescription, flags: readonly AnyFlag[]): string {
  return `${program.long.trimEnd()}\n\n${printProgramUsage(program, flags)}`;
}

/** How a program is called; `flags` are its own, those of every command included. */
export function printProgramUsage({ name, commands }: ProgramDescription, flags: readonly AnyFlag[]): string {
  return `Usage:
  ${name} [command]

Available Commands:${printCommands(commands)}${printFlagSection("Flags", flags)}

Use "${name} [command] --help" for more information about a command.
`;
}

/** How a command is called. */
function printCommandUsage({ name, flags }: ProgramDescription, command: CommandDescription): string {
  const use = `${name} ${command.use}${command.hidesFlagsInUse ? "" : " [flags]"}`;
  const names = [command.use.split(" ")[0], ...(command.aliases ?? [])];
  const aliases = names.length > 1 ? `\n\nAliases:\n  ${names.join(", ")}` : "";
  const example = command.example === undefined ? "" : `\n\nExamples:\n${command.example}`;
  return `Usage:
  ${use}${aliases}${example}${printFlagSection("Flags", command.flags)}${printFlagSection("Global Flags", flags)}
`;
}

function printCommands(commands: ProgramDescription["commands"]): string {
  const width = Math.max(11, ...commands.map(({ name }) => name.length));
  const sorted = commands.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map(({ name, short }) => `\n  ${name.padEnd(width)} ${short}`).join("");
}

function printFlagSection(title: string, flags: readonly AnyFlag[]): string {
  const usages = printFlagUsages(flags).trimEnd();
  return usages === "" ? "" : `\n\n${title}:\n${usages}`;
}
