import { type AnyFlag, FlagError, HelpRequestedError } from "./flag.ts";
import { PflagCommand } from "./pflag-command.ts";

/** A parsed command line. */
export interface ParsedArguments {
  /** The arguments that aren't flags, in order, including everything after "--". Empty on error. */
  readonly positional: readonly string[];
  /** Warnings about deprecated flags. */
  readonly warnings: readonly string[];
  /** True if an undeclared help flag was given; the rest wasn't parsed. */
  readonly help: boolean;
  /** The error, if any; the rest wasn't parsed. */
  readonly error?: FlagError;
}

/** Parses the command line of a program without commands into `flags`, like Go's pflag. */
export function parseArguments(args: readonly string[], flags: readonly AnyFlag[]): ParsedArguments {
  const warnings: string[] = [];
  const writeErr = (line: string): void => void warnings.push(line.trimEnd());
  const command = new PflagCommand().configureOutput({ writeErr }).addFlags(flags);
  try {
    return { positional: command.parseOptions([...args]).operands, warnings, help: false };
  } catch (error) {
    if (error instanceof HelpRequestedError) {
      return { positional: [], warnings, help: true };
    }
    if (error instanceof FlagError) {
      return { positional: [], warnings, help: false, error };
    }
    throw error;
  }
}
