import { type AnyFlag, FlagError, HelpRequestedError, UnknownFlagError } from "./flag.ts";

/** An unambiguous command line. */
export interface CanonicalArguments {
  /** `--name=value` for each use of a flag, in order, then `--`, then the other arguments. */
  readonly argv: readonly string[];
  /** The flags that are used, each once. */
  readonly given: ReadonlySet<AnyFlag>;
  /** The error or HelpRequestedError, if any; the rest wasn't parsed. */
  readonly error?: FlagError;
}

/**
 * Rewrites a command line that follows the grammar of Go's pflag (--flag, --flag=value, --flag value, -f, -f
 * value, -fvalue, -f=value, -abc; flags and other arguments in any order; "--" ends the flags) so that any
 * parser reads it the same way. Doesn't check values.
 */
export function canonicalArguments(args: readonly string[], flags: readonly AnyFlag[]): CanonicalArguments {
  const reading: Reading = { rest: [...args], uses: [], given: new Set(), positional: [], flags };
  try {
    readAll(reading);
    return outcomeOf(reading);
  } catch (error) {
    if (error instanceof FlagError) {
      return { ...outcomeOf(reading), error };
    }
    throw error;
  }
}

/** Finds a flag by its long name. */
export function findFlag(flags: readonly AnyFlag[], name: string): AnyFlag | undefined {
  return flags.find(({ declaration }) => declaration.name === name);
}

/** Finds a flag by one of its one-letter shorthands. */
export function findShorthand(flags: readonly AnyFlag[], letter: string): AnyFlag | undefined {
  return flags.find(
    ({ declaration }) => declaration.shorthand === letter || declaration.otherShorthand === letter,
  );
}

interface Reading {
  readonly rest: string[];
  readonly uses: string[];
  readonly given: Set<AnyFlag>;
  readonly positional: string[];
  readonly flags: readonly AnyFlag[];
}

function outcomeOf({ uses, given, positional }: Reading): CanonicalArguments {
  return { argv: [...uses, "--", ...positional], given };
}

function readAll(reading: Reading): void {
  const { rest, positional } = reading;
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === "--") {
      positional.push(...rest.splice(0));
    } else if (argument.startsWith("--")) {
      readLong(argument, reading);
    } else if (argument.startsWith("-") && argument !== "-") {
      readShorthands(argument.slice(1), reading);
    } else {
      positional.push(argument);
    }
  }
}

function readLong(argument: string, reading: Reading): void {
  const [, name = "", value] = /^--([^=]*)(?:=([^]*))?$/.exec(argument) ?? [];
  if (name === "" || name.startsWith("-")) {
    throw new FlagError(`bad flag syntax: ${argument}`);
  }
  const flag = findFlag(reading.flags, name);
  if (flag === undefined) {
    throw name === "help"
      ? new HelpRequestedError()
      : new UnknownFlagError(`unknown flag: --${name}`, name, namesOf(reading.flags));
  }
  use(flag, value ?? flag.type.bareText ?? nextArgument(reading, argument), reading);
}

function readShorthands(letters: string, reading: Reading): void {
  for (let rest = letters; rest !== ""; ) {
    const letter = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    const flag = findShorthand(reading.flags, letter);
    if (flag === undefined) {
      throw letter === "h"
        ? new HelpRequestedError()
        : new FlagError(`unknown shorthand flag: '${letter}' in -${rest}`);
    }
    rest = readShorthand(flag, { letter, after: rest.slice(letter.length) }, reading);
  }
}

/** A one-letter flag, and what follows it. */
interface Shorthand {
  readonly letter: string;
  readonly after: string;
}

/** Parses a one-letter flag; returns what's left to parse. */
function readShorthand(flag: AnyFlag, { letter, after }: Shorthand, reading: Reading): string {
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

/** Suggest no deprecated names. */
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

function use(flag: AnyFlag, value: string, { uses, given }: Reading): void {
  uses.push(`--${flag.declaration.name}=${value}`);
  given.add(flag);
}
