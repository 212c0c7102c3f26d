import { compareGoStrings } from "@weir/base";
import { type AnyFlag, flagsOf } from "@weir/cli";
import type { Command } from "../../cmd/fluxctl/command.ts";
import { type CommandEntry, commands } from "../../cmd/fluxctl/commands.ts";
import { declareGlobalFlags } from "../../cmd/fluxctl/globals.ts";
import type { Terminal } from "../../cmd/fluxctl/terminal.ts";

/** A flag as a manual tells of it. */
export interface FlagEntry {
  /** E.g. "-n, --namespace". */
  readonly names: string;
  /** What the value is called; "" where it takes none. */
  readonly value: string;
  readonly usage: string;
  /** What it is without being given; "" where that goes without saying. */
  readonly standard: string;
  /** What to use instead; undefined where it is not an old name. */
  readonly deprecated: string | undefined;
}

/** A command as a manual tells of it. */
export interface CommandPage {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly short: string;
  readonly usage: string;
  /** Several lines; "" where the short one says it all. */
  readonly long: string;
  /** Lines as they are to be shown; "" without any. */
  readonly example: string;
  readonly flags: readonly FlagEntry[];
}

/** All there is to tell of fluxctl. */
export interface Manual {
  readonly commands: readonly CommandPage[];
  readonly globalFlags: readonly FlagEntry[];
}

const nowhere: Terminal = { out: () => undefined, err: () => undefined, env: {} };

/** Reads the manual out of the table of commands, sorted by name. */
export async function readManual(): Promise<Manual> {
  const pages = await Promise.all(commands.map(async (entry) => pageOf(entry, await entry.load(nowhere))));
  return {
    commands: pages.toSorted((a, b) => compareGoStrings(a.name, b.name)),
    globalFlags: entriesOf(flagsOf(declareGlobalFlags())),
  };
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

/** Help indents some of its examples. */
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
        // Who writes the manual is not who reads it.
        standard: name === "user" ? "who git knows" : (flag.printDefault() ?? ""),
        deprecated,
      };
    });
}
