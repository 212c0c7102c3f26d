import { flagsOf } from "../../../src/base/cli/declare.ts";
import { findCommand } from "../../../src/base/cli/find-command.ts";
import { type AnyFlag, FlagError } from "../../../src/base/cli/flag.ts";
import { parseArguments } from "../../../src/base/cli/parse-arguments.ts";
import { type CommandEntry, commands } from "../commands.ts";
import { declareGlobalFlags } from "../globals.ts";
import type { Terminal } from "../terminal.ts";
import { bareWords, type Candidate, noOffer, type Offer, printOffer } from "./candidate.ts";
import { placeOf } from "./place.ts";
import { offerValues } from "./values.ts";

/**
 * What may stand where the last of `words` begins. Shells ask for it (`fluxctl __complete`); the scripts for them are
 * those of commands/completion.ts. Names that live in the cluster are asked of the daemon, where it answers soon.
 */
export async function completeWords(
  words: readonly string[],
  describes: boolean,
  terminal: Terminal,
): Promise<string> {
  const globals = declareGlobalFlags();
  const before = words.slice(0, -1);
  const entry = entryIn(before, flagsOf(globals));
  if (entry === "unknown") {
    return printOffer(noOffer, "", describes);
  }
  const own = entry === undefined ? [] : (await entry.load(terminal)).flags;
  const flags = [...own, ...flagsOf(globals)];
  const place = placeOf(words, flags);
  switch (place.kind) {
    case "flag":
      return printOffer({ candidates: shown(flags).map(describeFlag) }, place.begun, describes);
    case "word":
      return printOffer(await offerWords(entry), place.begun, describes);
    case "value": {
      // Where to look may be said by flags that stand before.
      parseArguments(before, flags);
      const offer = await offerValues(place, { own, globals, terminal });
      return printOffer(offer, place.begun, describes);
    }
  }
}

function entryIn(
  words: readonly string[],
  globals: readonly AnyFlag[],
): CommandEntry | undefined | "unknown" {
  try {
    return findCommand("fluxctl", words, [...commands, helpWord], globals).command;
  } catch (error) {
    if (error instanceof FlagError) {
      return "unknown";
    }
    throw error;
  }
}

/** help is a word before another command, and has no flags of its own. */
const helpWord: CommandEntry = {
  name: "help",
  short: "Help about any command",
  load: () => Promise.resolve({ use: "help", flags: [], run: () => Promise.resolve() }),
};

async function offerWords(entry: CommandEntry | undefined): Promise<Offer> {
  switch (entry?.name) {
    case undefined:
      return { candidates: [...commands, helpWord].map(describeCommand) };
    case "help":
      return { candidates: commands.map(describeCommand) };
    case "completion": {
      const { shells } = await import("../commands/completion.ts");
      return { candidates: bareWords(shells) };
    }
    default:
      return noOffer;
  }
}

function shown(flags: readonly AnyFlag[]): readonly AnyFlag[] {
  return flags.filter(({ declaration }) => declaration.deprecated === undefined);
}

function describeCommand({ name, short }: CommandEntry): Candidate {
  return { word: name, what: short };
}

function describeFlag({ declaration }: AnyFlag): Candidate {
  return { word: `--${declaration.name}`, what: declaration.usage.replaceAll("`", "") };
}
