import { parseDuration, printDuration, quoteGo } from "@weir/base";
import { parseCsvRecord, printCsvRecord } from "./csv.ts";
import { parseGoBool, parseGoFloat, parseGoInt, parseGoUint } from "./go-number.ts";

/** How the values of a sort of flag are read and shown, after the types of Go's pflag. */
export interface FlagType<T> {
  /** Stands behind the flag's name in help; "" for none. */
  readonly word: string;
  /** The text that counts where the flag is given without a value; undefined where it needs one. */
  readonly bareText?: string;
  /** The value after `text` was given; `before` is undefined the first time. Throws where `text` is no value. */
  parse(text: string, before: T | undefined): T;
  /** The value as help tells of it as a default; undefined for what goes without saying. */
  printDefault(value: T): string | undefined;
}

/** Any text. */
export const textType: FlagType<string> = {
  word: "string",
  parse: (text) => text,
  printDefault: (value) => (value === "" ? undefined : quoteGo(value)),
};

/** On or off; on where it is given without a value. */
export const boolType: FlagType<boolean> = {
  word: "",
  bareText: "true",
  parse: parseGoBool,
  printDefault: (value) => (value ? "true" : undefined),
};

/** Counts how often it is given (-vv); or a number is given. */
export const countType: FlagType<number> = {
  word: "count",
  bareText: "+1",
  parse: (text, before) => (text === "+1" ? (before ?? 0) + 1 : parseGoInt(text)),
  printDefault: printNumber,
};

/** A whole number. */
export const intType: FlagType<number> = { word: "int", parse: parseGoInt, printDefault: printNumber };

/** A whole number that is not negative, or undefined where none is given. */
export const optionalUintType: FlagType<bigint | undefined> = {
  word: "uint",
  parse: parseGoUint,
  printDefault: (value) => value?.toString(),
};

/** A number. */
export const floatType: FlagType<number> = { word: "float", parse: parseGoFloat, printDefault: printNumber };

/** A duration in milliseconds, given as Go writes it. */
export const durationType: FlagType<number> = {
  word: "duration",
  parse: parseDuration,
  printDefault: (value) => (value === 0 ? undefined : printDuration(value)),
};

/** A list, comma-separated or by repeating the flag; an empty text adds nothing. */
export const listType: FlagType<readonly string[]> = {
  word: "strings",
  parse: (text, before = []) => (text === "" ? before : [...before, ...parseCsvRecord(text)]),
  printDefault: printList,
};

/** Texts, one each time that the flag is given; commas are part of them. */
export const textsType: FlagType<readonly string[]> = {
  word: "stringArray",
  parse: (text, before = []) => [...before, text],
  printDefault: printList,
};

/** Names with values: "a=1,b=2", or by repeating the flag. */
export const mapType: FlagType<ReadonlyMap<string, string>> = {
  word: "stringToString",
  parse: (text, before = new Map()) => new Map([...before, ...pairsOf(text).map(parsePair)]),
  printDefault: (value) => `[${printCsvRecord([...value].map(([key, item]) => `${key}=${item}`))}]`,
};

/** As pflag: a text with one "=" is one pair, however many commas its value has. */
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
