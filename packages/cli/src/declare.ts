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

/** A flag's declaration without its name. */
export type FlagWords = Omit<FlagDeclaration, "name">;

/** The same for a flag with a default; if it's omitted, the default is the empty value of the type. */
export interface FlagSpec<T> extends FlagWords {
  readonly default?: T;
}

/** A flag for any string. */
export function text(name: string, { default: standard = "", ...words }: FlagSpec<string>): Flag<string> {
  return new Flag(textType, { name, ...words }, standard);
}

/** A flag whose value can be omitted; without a value, it's `bareText`. */
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

/** A flag that counts how often it's given. */
export function count(name: string, words: FlagWords): Flag<number> {
  return new Flag(countType, { name, ...words }, 0);
}

/** A flag for an integer. */
export function int(name: string, { default: standard = 0, ...words }: FlagSpec<number>): Flag<number> {
  return new Flag(intType, { name, ...words }, standard);
}

/** A flag for a non-negative integer; undefined if the flag isn't given. */
export function optionalUint(name: string, words: FlagWords): Flag<bigint | undefined> {
  return new Flag(optionalUintType, { name, ...words }, undefined);
}

/** A flag for a floating-point number. */
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

/** A flag for strings that can contain commas; repeat the flag for each string. */
export function texts(name: string, words: FlagWords): Flag<readonly string[]> {
  return new Flag(textsType, { name, ...words }, []);
}

/** A flag for key-value pairs. */
export function map(
  name: string,
  { default: standard = new Map(), ...words }: FlagSpec<ReadonlyMap<string, string>>,
): Flag<ReadonlyMap<string, string>> {
  return new Flag(mapType, { name, ...words }, standard);
}

/** The flags of a record as a list, to parse a command line with. */
export function flagsOf(table: Readonly<Record<string, AnyFlag>>): readonly AnyFlag[] {
  return Object.values(table);
}
