import { parseDuration, printDuration, quoteGo } from "@weir/base";
import { parseCsvRecord, printCsvRecord } from "./csv.ts";
import { parseGoBool, parseGoFloat, parseGoInt, parseGoUint } from "./go-number.ts";

/** How values of a flag type are parsed and printed; follows the types of Go's pflag. */
export interface FlagType<T> {
  /** The word after the flag's name in help; "" for none. */
  readonly word: string;
  /** The value if the flag is given without one; undefined if a value is required. */
  readonly bareText?: string;
  /** The value after `text` was given; `before` is undefined the first time. Throws if `text` is invalid. */
  parse(text: string, before: T | undefined): T;
  /** The default value as help prints it; undefined if help omits it. */
  printDefault(value: T): string | undefined;
}

/** Any string. */
export const textType: FlagType<string> = {
  word: "string",
  parse: (text) => text,
  printDefault: (value) => (value === "" ? undefined : quoteGo(value)),
};

/** True or false; true if given without a value. */
export const boolType: FlagType<boolean> = {
  word: "",
  bareText: "true",
  parse: parseGoBool,
  printDefault: (value) => (value ? "true" : undefined),
};

/** Counts how often the flag is given (-vv), or takes a number. */
export const countType: FlagType<number> = {
  word: "count",
  bareText: "+1",
  parse: (text, before) => (text === "+1" ? (before ?? 0) + 1 : parseGoInt(text)),
  printDefault: printNumber,
};

/** An integer. */
export const intType: FlagType<number> = { word: "int", parse: parseGoInt, printDefault: printNumber };

/** A non-negative integer, or undefined if the flag isn't given. */
export const optionalUintType: FlagType<bigint | undefined> = {
  word: "uint",
  parse: parseGoUint,
  printDefault: (value) => value?.toString(),
};

/** A floating-point number. */
export const floatType: FlagType<number> = { word: "float", parse: parseGoFloat, printDefault: printNumber };

/** A duration in milliseconds, written as in Go. */
export const durationType: FlagType<number> = {
  word: "duration",
  parse: parseDuration,
  printDefault: (value) => (value === 0 ? undefined : printDuration(value)),
};

/** A list: comma-separated values, or a repeated flag. An empty string adds nothing. */
export const listType: FlagType<readonly string[]> = {
  word: "strings",
  parse: (text, before = []) => (text === "" ? before : [...before, ...parseCsvRecord(text)]),
  printDefault: printList,
};

/** A list of strings, one for each use of the flag; commas are part of the string. */
export const textsType: FlagType<readonly string[]> = {
  word: "stringArray",
  parse: (text, before = []) => [...before, text],
  printDefault: printList,
};

/** Key-value pairs: "a=1,b=2", or a repeated flag. */
export const mapType: FlagType<ReadonlyMap<string, string>> = {
  word: "stringToString",
  parse: (text, before = new Map()) => new Map([...before, ...pairsOf(text).map(parsePair)]),
  printDefault: (value) => `[${printCsvRecord([...value].map(([key, item]) => `${key}=${item}`))}]`,
};

/** Like pflag: a string with a single "=" is one pair, even if its value contains commas. */
function pairsOf(text: string): readonly string[] {
  return text.split("=").length <= 2 ? [text.replace(/^"+|"+$/g, "")] : parseCsvRecord(text);
}

function parsePair(pair: string): readonly [key: string, value: string] {
  const at = pair.indexOf("=");
  if (at < 0) {
    throw new TypeError(`${pair} must be formatted as key=value`);
  }
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function printList(value: readonly string[]): string | undefined {
  return value.length === 0 ? undefined : `[${printCsvRecord(value)}]`;
}

function printNumber(value: number): string | undefined {
  return value === 0 ? undefined : String(value);
}
