import { type AnyFlag, Flag, type FlagDeclaration } from "./flag.ts";
import {
  boolType,
  countType,
  durationType,
  floatType,
  intType,
  listType,
  mapType,
  optionalUintType,
  textsType,
  textType,
} from "./flag-types.ts";

/** What a declaration may say besides name, default and usage. */
export type FlagExtras = Pick<FlagDeclaration, "shorthand" | "deprecated" | "values">;

/** A flag for any text. */
export function text(name: string, standard: string, usage: string, extras: FlagExtras = {}): Flag<string> {
  return new Flag(textType, { name, usage, ...extras }, standard);
}

/** A flag for a text that may be left out: then it counts as `bareText`. */
export function optionalText(name: string, bareText: string, usage: string): Flag<string> {
  return new Flag({ ...textType, bareText }, { name, usage }, "");
}

/** A flag that is on or off. */
export function bool(name: string, standard: boolean, usage: string, extras: FlagExtras = {}): Flag<boolean> {
  return new Flag(boolType, { name, usage, ...extras }, standard);
}

/** A flag that counts how often it is given. */
export function count(name: string, usage: string, extras: FlagExtras = {}): Flag<number> {
  return new Flag(countType, { name, usage, ...extras }, 0);
}

/** A flag for a whole number. */
export function int(name: string, standard: number, usage: string, extras: FlagExtras = {}): Flag<number> {
  return new Flag(intType, { name, usage, ...extras }, standard);
}

/** A flag for a whole number that is not negative; undefined where it is not given. */
export function optionalUint(name: string, usage: string): Flag<bigint | undefined> {
  return new Flag(optionalUintType, { name, usage }, undefined);
}

/** A flag for a number. */
export function float(name: string, standard: number, usage: string): Flag<number> {
  return new Flag(floatType, { name, usage }, standard);
}

/** A flag for a duration; its value is in milliseconds. */
export function duration(
  name: string,
  standard: number,
  usage: string,
  extras: FlagExtras = {},
): Flag<number> {
  return new Flag(durationType, { name, usage, ...extras }, standard);
}

/** A flag for a list. */
export function list(
  name: string,
  standard: readonly string[],
  usage: string,
  extras: FlagExtras = {},
): Flag<readonly string[]> {
  return new Flag(listType, { name, usage, ...extras }, standard);
}

/** A flag for texts that may have commas in them; each needs the flag anew. */
export function texts(name: string, usage: string): Flag<readonly string[]> {
  return new Flag(textsType, { name, usage }, []);
}

/** A flag for names with values. */
export function map(
  name: string,
  standard: ReadonlyMap<string, string>,
  usage: string,
): Flag<ReadonlyMap<string, string>> {
  return new Flag(mapType, { name, usage }, standard);
}

/** The flags of a table, to read a command line with. */
export function flagsOf(table: Readonly<Record<string, AnyFlag>>): readonly AnyFlag[] {
  return Object.values(table);
}
