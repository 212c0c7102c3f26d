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

/** What there is to say of a flag besides its name: how help tells of it, and which other ways it is given. */
export type FlagWords = Omit<FlagDeclaration, "name">;

/** The same for a flag with a default, which goes without saying where it is the empty value of its type. */
export interface FlagSpec<T> extends FlagWords {
  readonly default?: T;
}

/** A flag for any text. */
export function text(name: string, { default: standard = "", ...words }: FlagSpec<string>): Flag<string> {
  return new Flag(textType, { name, ...words }, standard);
}

/** A flag for a text that may be left out: then it counts as `bareText`. */
export function optionalText(
  name: string,
  { bareText, ...words }: FlagWords & { readonly bareText: string },
): Flag<string> {
  return new Flag({ ...textType, bareText }, { name, ...words }, "");
}

/** A flag that is on or off. */
export function bool(
  name: string,
  { default: standard = false, ...words }: FlagSpec<boolean>,
): Flag<boolean> {
  return new Flag(boolType, { name, ...words }, standard);
}

/** A flag that counts how often it is given. */
export function count(name: string, words: FlagWords): Flag<number> {
  return new Flag(countType, { name, ...words }, 0);
}

/** A flag for a whole number. */
export function int(name: string, { default: standard = 0, ...words }: FlagSpec<number>): Flag<number> {
  return new Flag(intType, { name, ...words }, standard);
}

/** A flag for a whole number that is not negative; undefined where it is not given. */
export function optionalUint(name: string, words: FlagWords): Flag<bigint | undefined> {
  return new Flag(optionalUintType, { name, ...words }, undefined);
}

/** A flag for a number. */
export function float(name: string, { default: standard = 0, ...words }: FlagSpec<number>): Flag<number> {
  return new Flag(floatType, { name, ...words }, standard);
}

/** A flag for a duration; its value is in milliseconds. */
export function duration(name: string, { default: standard = 0, ...words }: FlagSpec<number>): Flag<number> {
  return new Flag(durationType, { name, ...words }, standard);
}

/** A flag for a list. */
export function list(
  name: string,
  { default: standard = [], ...words }: FlagSpec<readonly string[]>,
): Flag<readonly string[]> {
  return new Flag(listType, { name, ...words }, standard);
}

/** A flag for texts that may have commas in them; each needs the flag anew. */
export function texts(name: string, words: FlagWords): Flag<readonly string[]> {
  return new Flag(textsType, { name, ...words }, []);
}

/** A flag for names with values. */
export function map(
  name: string,
  { default: standard = new Map(), ...words }: FlagSpec<ReadonlyMap<string, string>>,
): Flag<ReadonlyMap<string, string>> {
  return new Flag(mapType, { name, ...words }, standard);
}

/** The flags of a table, to read a command line with. */
export function flagsOf(table: Readonly<Record<string, AnyFlag>>): readonly AnyFlag[] {
  return Object.values(table);
}
