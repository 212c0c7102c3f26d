import type { AnyFlag } from "./flag.ts";
import { findFlag, findShorthand } from "./pflag.ts";

/**
 * Finds the argument that names a command, like cobra; undefined if there is none. Flags can precede it, and
 * the value of one of `flags` or of an unknown flag isn't taken for a command.
 */
export function commandWord(args: readonly string[], flags: readonly AnyFlag[]): string | undefined {
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? "";
    if (argument === "--") {
      return undefined;
    }
    if (takesNext(argument, flags)) {
      index++;
    } else if (argument !== "" && !argument.startsWith("-")) {
      return argument;
    }
  }
  return undefined;
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
