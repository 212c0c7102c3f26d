import { compareGoStrings } from "@weir/base";
import { type AnyFlag, flagsOf } from "@weir/cli";
import type { Command } from "../../cmd/fluxctl/command.ts";
import { type CommandEntry, commands } from "../../cmd/fluxctl/commands/table.ts";
import { declareGlobalFlags } from "../../cmd/fluxctl/flags/globals.ts";
import { declareFluxdFlags } from "../../src/fluxd-flags/flags.ts";

/** A flag in the manual. */
export interface FlagEntry {
  /** E.g. "-n, --namespace". */
  readonly names: string;
  /** The name of the value; "" if the flag takes none. */
  readonly value: string;
  readonly usage: string;
  /** The default value; "" if it's obvious. */
  readonly standard: string;
  /** What to use instead; undefined if the flag isn't deprecated. */
  readonly deprecated: string | undefined;
}

/** A command in the manual. */
export interface CommandPage {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly short: string;
  readonly usage: string;
  /** Several lines; "" if the short description is enough. */
  readonly long: string;
  /** Lines that are printed as they are; "" if there are none. */
  readonly example: string;
  readonly flags: readonly FlagEntry[];
}

/** The content of fluxctl's manual. */
export interface Manual {
  readonly commands: readonly CommandPage[];
  readonly globalFlags: readonly FlagEntry[];
}

/** Creates the manual from the table of commands, sorted by name. */
export async function readManual(): Promise<Manual> {
  const pages = await Promise.all(commands.map(async (entry) => pageOf(entry, await entry.load())));
  return {
    commands: pages.toSorted((a, b) => compareGoStrings(a.name, b.name)),
    globalFlags: entriesOf(flagsOf(declareGlobalFlags())),
  };
}

/** The flags of fluxd, sorted by name. */
export function readFluxdFlags(): readonly FlagEntry[] {
  return entriesOf(flagsOf(declareFluxdFlags("")));
}

function pageOf({ name, aliases = [], short }: CommandEntry, command: Command): CommandPage {
  const { use, long = "", example = "", flags, hidesFlagsInUse } = command;
  return {
    name,
    aliases,
    short,
    usage: `fluxctl ${use}${hidesFlagsInUse === true ? "" : " [flags]"}`,
    long: long.trim(),
    example: withoutMargin(example),
    flags: entriesOf(flags),
  };
}

/** Removes the indentation that help uses in some examples. */
function withoutMargin(text: string): string {
  return text.replaceAll(/^ {2}/gm, "");
}

function entriesOf(flags: readonly AnyFlag[]): readonly FlagEntry[] {
  return flags
    .toSorted((a, b) => compareGoStrings(a.declaration.name, b.declaration.name))
    .map((flag) => {
      const { name, shorthand, usage, deprecated } = flag.declaration;
      return {
        names: shorthand === undefined ? `--${name}` : `-${shorthand}, --${name}`,
        value: flag.type.word === "count" ? "" : flag.type.word,
        usage: usage.replaceAll("`", ""),
        // The manual isn't generated on the reader's machine.
        standard: name === "user" ? "from git's configuration" : (flag.printDefault() ?? ""),
        deprecated,
      };
    });
}
