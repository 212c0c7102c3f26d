import {
  type AnyFlag,
  type CobraCommand,
  type CobraProgram,
  commandWord,
  flagsOf,
  parseArguments,
} from "@weir/cli";
import type { Command } from "commander";
import { declareGlobalFlags } from "../flags/globals.ts";
import { fluxctlProgram } from "../program.ts";
import type { Terminal } from "../terminal.ts";
import { bareWords, type Candidate, noOffer, type Offer, printOffer } from "./candidate.ts";
import { placeOf } from "./place.ts";
import { offerValues } from "./values.ts";

/**
 * The candidates for the last of `words`. Shells call this with `fluxctl __complete`; their scripts are in
 * commands/completion.ts. Names in the cluster are requested from the daemon, if it responds quickly.
 */
export async function completeWords(
  words: readonly string[],
  describes: boolean,
  terminal: Terminal,
): Promise<string> {
  const globals = declareGlobalFlags();
  const program = fluxctlProgram(globals, terminal, () => Promise.resolve());
  const before = words.slice(0, -1);
  const word = commandWord(before, flagsOf(globals));
  const command = word === undefined ? undefined : program.commandNamed(word);
  if (word !== undefined && command === undefined) {
    return printOffer(noOffer, "", describes);
  }
  const own = (await command?.load())?.flags ?? [];
  const flags = [...own, ...flagsOf(globals)];
  const place = placeOf(words, flags);
  switch (place.kind) {
    case "flag":
      return printOffer({ candidates: shown(flags).map(describeFlag) }, place.begun, describes);
    case "word":
      return printOffer(await offerWords(command, program), place.begun, describes);
    case "value": {
      // Earlier flags can determine where to look.
      parseArguments(before, flags);
      const offer = await offerValues(place, { own, globals, terminal });
      return printOffer(offer, place.begun, describes);
    }
  }
}

async function offerWords(command: CobraCommand | undefined, { commands }: CobraProgram): Promise<Offer> {
  switch (command?.name()) {
    case undefined:
      return { candidates: commands.map(describeCommand) };
    case "help":
      return { candidates: commands.filter((each) => each !== command).map(describeCommand) };
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

function describeCommand(command: Command): Candidate {
  return { word: command.name(), what: command.summary() };
}

function describeFlag({ declaration }: AnyFlag): Candidate {
  return { word: `--${declaration.name}`, what: declaration.usage.replaceAll("`", "") };
}
