import { quoteGo } from "../go-quote.ts";
import { type AnyFlag, FlagError } from "./flag.ts";
import { findFlag, findShorthand } from "./pflag.ts";
import { suggest } from "./suggest.ts";

/** A command by the words that call it. */
export interface NamedCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
}

/** A command line cut into the command it names and its arguments. */
export interface FoundCommand<C> {
  /** undefined where no command is named. */
  readonly command: C | undefined;
  readonly args: readonly string[];
}

/**
 * Finds the command that a command line names as cobra does: flags may stand before it, and the value of one
 * of `flags`, or of an unknown one, is not taken for a command. Throws FlagError with suggestions for a word
 * that is no command.
 */
export function findCommand<C extends NamedCommand>(
  program: string,
  args: readonly string[],
  commands: readonly C[],
  flags: readonly AnyFlag[],
): FoundCommand<C> {
  const [word] = wordsOf(args, flags);
  if (word === undefined) {
    return { command: undefined, args };
  }
  const command = commands.find(({ name, aliases }) => name === word || aliases?.includes(word));
  if (command === undefined) {
    throw new FlagError(unknownCommand(program, word, commands));
  }
  return { command, args: args.toSpliced(args.indexOf(word), 1) };
}

function unknownCommand(program: string, word: string, commands: readonly NamedCommand[]): string {
  const names = commands.map(({ name }) => name).filter((name) => name !== "help");
  const suggestions = suggest(word, names).map((name) => `\t${name}\n`);
  const question = suggestions.length === 0 ? "" : `\n\nDid you mean this?\n${suggestions.join("")}`;
  return `unknown command ${quoteGo(word)} for ${quoteGo(program)}${question}`;
}

/** The arguments that are neither flags nor their values. */
function wordsOf(args: readonly string[], flags: readonly AnyFlag[]): readonly string[] {
  const words: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? "";
    if (argument === "--") {
      break;
    }
    if (takesNext(argument, flags)) {
      index++;
    } else if (argument !== "" && !argument.startsWith("-")) {
      words.push(argument);
    }
  }
  return words;
}

/** True for a flag whose value is the next argument. */
function takesNext(argument: string, flags: readonly AnyFlag[]): boolean {
  if (argument.includes("=")) {
    return false;
  }
  if (argument.startsWith("--")) {
    return findFlag(flags, argument.slice(2))?.type.bareText === undefined;
  }
  return (
    argument.startsWith("-") &&
    argument.length === 2 &&
    findShorthand(flags, argument.slice(1))?.type.bareText === undefined
  );
}
