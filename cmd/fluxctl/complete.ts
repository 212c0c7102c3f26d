import { flagsOf } from "../../src/base/cli/declare.ts";
import { findCommand } from "../../src/base/cli/find-command.ts";
import { type AnyFlag, FlagError } from "../../src/base/cli/flag.ts";
import { type CommandEntry, commands } from "./commands.ts";
import { declareGlobalFlags } from "./globals.ts";
import type { Terminal } from "./terminal.ts";

/** Something that may stand next on a command line, and what it is. */
interface Candidate {
  readonly word: string;
  readonly what: string;
}

/**
 * What may stand where the last of `words` begins, a line for each: the word, a tab, and what it means. Shells
 * ask for it (`fluxctl __complete`); the scripts for them are those of commands/completion.ts.
 */
export async function completeWords(words: readonly string[], terminal: Terminal): Promise<string> {
  const begun = words.at(-1) ?? "";
  const candidates = await candidatesAfter(words.slice(0, -1), begun, terminal);
  return candidates
    .filter(({ word }) => word.startsWith(begun))
    .map(({ word, what }) => `${word}\t${what}\n`)
    .join("");
}

async function candidatesAfter(
  before: readonly string[],
  begun: string,
  terminal: Terminal,
): Promise<readonly Candidate[]> {
  const globals = flagsOf(declareGlobalFlags());
  const entry = entryIn(before, globals);
  if (entry === "unknown") {
    return [];
  }
  const own = entry === undefined ? [] : (await entry.load(terminal)).flags;
  if (begun.startsWith("-")) {
    return [...own, ...globals]
      .filter(({ declaration }) => declaration.deprecated === undefined)
      .map(describeFlag);
  }
  return entry === undefined ? commands.map(describeCommand) : argumentsOf(entry);
}

function entryIn(
  words: readonly string[],
  globals: readonly AnyFlag[],
): CommandEntry | undefined | "unknown" {
  try {
    return findCommand("fluxctl", words, commands, globals).command;
  } catch (error) {
    if (error instanceof FlagError) {
      return "unknown";
    }
    throw error;
  }
}

async function argumentsOf({ name }: CommandEntry): Promise<readonly Candidate[]> {
  if (name !== "completion") {
    return [];
  }
  const { shells } = await import("./commands/completion.ts");
  return shells.map((word) => ({ word, what: "" }));
}

function describeCommand({ name, short }: CommandEntry): Candidate {
  return { word: name, what: short };
}

function describeFlag({ declaration }: AnyFlag): Candidate {
  return { word: `--${declaration.name}`, what: declaration.usage.replaceAll("`", "") };
}
