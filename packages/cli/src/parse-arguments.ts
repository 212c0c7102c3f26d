import { type AnyFlag, FlagError, HelpRequestedError } from "./flag.ts";
import { PflagCommand } from "./pflag-command.ts";

/** A command line that was read. */
export interface ParsedArguments {
  /** What is no flag, in order; also all that follows "--". Empty where something is wrong. */
  readonly positional: readonly string[];
  /** Lines for people about flags that are deprecated. */
  readonly warnings: readonly string[];
  /** True where a flag asked for help that nobody declared; the rest was not read. */
  readonly help: boolean;
  /** What is wrong; the rest was not read. */
  readonly error?: FlagError;
}

/** Reads the command line of a program without commands into `flags`, as Go's pflag does. */
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
