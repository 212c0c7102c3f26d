/**
 * Command lines that behave as in Go programs: pflag's grammar in front of commander's command tree, and
 * cobra's help.
 */
export {
  CobraCommand,
  type CommandDeclaration,
  type ListedCommand,
  type LoadedCommand,
} from "./cobra-command.ts";
export { CobraProgram } from "./cobra-program.ts";
export { printProgramUsage } from "./command-help.ts";
export { commandWord } from "./command-word.ts";
export {
  bool,
  count,
  duration,
  flagsOf,
  float,
  int,
  list,
  map,
  optionalText,
  optionalUint,
  text,
  texts,
} from "./declare.ts";
export { type AnyFlag, Flag, UnknownFlagError } from "./flag.ts";
export { listType, textType } from "./flag-types.ts";
export { printFlagUsages } from "./help.ts";
export { parseArguments } from "./parse-arguments.ts";
export { findFlag, findShorthand } from "./pflag.ts";
export { suggest } from "./suggest.ts";
