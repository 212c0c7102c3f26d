import { type AnyFlag, FlagError, UnknownFlagError } from "./flag.ts";

/** A command line that was read. */
export interface ParsedArguments {
  /** What is no flag, in order; also all that follows "--". */
  readonly positional: readonly string[];
  /** Lines for people about flags that are deprecated. */
  readonly warnings: readonly string[];
  /** True where a flag asked for help that nobody declared; the rest was not read. */
  readonly help: boolean;
  /** What is wrong; the rest was not read. */
  readonly error?: FlagError;
}

/**
 * Reads a command line into `flags` as Go's pflag does: --flag, --flag=value, --flag value, -f, -f value,
 * -fvalue, -f=value, -abc; flags and other arguments in any order; "--" ends the flags.
 */
export function parseArguments(args: readonly string[], flags: readonly AnyFlag[]): ParsedArguments {
  const reading: Reading = { rest: [...args], positional: [], warnings: [], flags };
  try {
    return { ...outcomeOf(reading), help: readAll(reading) };
  } catch (error) {
    if (error instanceof FlagError) {
      return { ...outcomeOf(reading), help: false, error };
    }
    throw error;
  }
}

/** The flag of a long name, undefined where there is none. */
export function findFlag(flags: readonly AnyFlag[], name: string): AnyFlag | undefined {
  return flags.find(({ declaration }) => declaration.name === name);
}

/** The flag of a letter, undefined where there is none. */
export function findShorthand(flags: readonly AnyFlag[], letter: string): AnyFlag | undefined {
  return flags.find(({ declaration }) => declaration.shorthand === letter);
}

interface Reading {
  readonly rest: string[];
  readonly positional: string[];
  readonly warnings: string[];
  readonly flags: readonly AnyFlag[];
}

function outcomeOf({ positional, warnings }: Reading): Pick<ParsedArguments, "positional" | "warnings"> {
  return { positional, warnings };
}

/** True where reading ended because help was asked for. */
function readAll(reading: Reading): boolean {
  const { rest, positional } = reading;
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === "--") {
      positional.push(...rest.splice(0));
    } else if (argument.startsWith("--")) {
      if (readLong(argument, reading)) {
        return true;
      }
    } else if (argument.startsWith("-") && argument !== "-") {
      if (readShorthands(argument.slice(1), reading)) {
        return true;
      }
    } else {
      positional.push(argument);
    }
  }
  return false;
}

function readLong(argument: string, reading: Reading): boolean {
  const [, name = "", value] = /^--([^=]*)(?:=([^]*))?$/.exec(argument) ?? [];
  if (name === "" || name.startsWith("-")) {
    throw new FlagError(`bad flag syntax: ${argument}`);
  }
  const flag = findFlag(reading.flags, name);
  if (flag === undefined) {
    if (name === "help") {
      return true;
    }
    throw new UnknownFlagError(`unknown flag: --${name}`, name, namesOf(reading.flags));
  }
  use(flag, value ?? flag.type.bareText ?? nextArgument(reading, argument), reading);
  return false;
}

function readShorthands(letters: string, reading: Reading): boolean {
  for (let rest = letters; rest !== ""; ) {
    const letter = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    const flag = findShorthand(reading.flags, letter);
    if (flag === undefined) {
      if (letter === "h") {
        return true;
      }
      throw new FlagError(`unknown shorthand flag: '${letter}' in -${rest}`);
    }
    const after = rest.slice(letter.length);
    rest = readShorthand(flag, letter, after, reading);
  }
  return false;
}

/** Reads the flag of one letter, of which `after` follows it; gives back what is left to read. */
function readShorthand(flag: AnyFlag, letter: string, after: string, reading: Reading): string {
  if (after.length > 1 && after.startsWith("=")) {
    use(flag, after.slice(1), reading);
    return "";
  }
  if (flag.type.bareText !== undefined) {
    use(flag, flag.type.bareText, reading);
    return after;
  }
  use(flag, after === "" ? nextArgument(reading, `'${letter}' in -${letter}`) : after, reading);
  return "";
}

/** Old names are not for those who do not know them yet. */
function namesOf(flags: readonly AnyFlag[]): readonly string[] {
  return flags
    .filter(({ declaration }) => declaration.deprecated === undefined)
    .map(({ declaration }) => declaration.name);
}

function nextArgument({ rest }: Reading, flag: string): string {
  const value = rest.shift();
  if (value === undefined) {
    throw new FlagError(`flag needs an argument: ${flag}`);
  }
  return value;
}

function use(flag: AnyFlag, value: string, { warnings }: Reading): void {
  flag.set(value);
  const { name, deprecated } = flag.declaration;
  if (deprecated !== undefined) {
    warnings.push(`Flag --${name} has been deprecated, ${deprecated}`);
  }
}
