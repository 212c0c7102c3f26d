import { isYamlBytes, isYamlFloat, type YamlScalar } from "./value.ts";

/**
 * The order in which yaml.v2 writes the keys of a mapping: numbers and booleans by value, then what is null, then
 * strings, in which numbers count as such ("a2" before "a10") and letters come after everything else.
 */
export function compareKeys(a: YamlScalar, b: YamlScalar): number {
  const [textA, textB] = [textOf(a), textOf(b)];
  if (textA !== undefined && textB !== undefined) {
    return compareTexts(textA, textB);
  }
  const [numberA, numberB] = [numberOf(a), numberOf(b)];
  if (numberA !== undefined && numberB !== undefined && numberA !== numberB) {
    return numberA < numberB ? -1 : 1;
  }
  return rankOf(a) - rankOf(b) || compareIntegers(a, b);
}

/** The order of keys that are strings. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [unitA, unitB] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (unitA !== unitB) {
      return compareFrom(a, b, isSurrogateTail(unitA, unitB, a, at) ? at - 1 : at);
    }
  }
  return a.length - b.length;
}

function textOf(key: YamlScalar): string | undefined {
  if (isYamlBytes(key)) {
    return new TextDecoder().decode(key.bytes);
  }
  return typeof key === "string" ? key : undefined;
}

/** Integers that are the same as a float64. */
function compareIntegers(a: YamlScalar, b: YamlScalar): number {
  const areIntegers = [a, b].every((key) => typeof key === "number" || typeof key === "bigint");
  if (!areIntegers || a === null || b === null) {
    return 0;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order of Go's kinds. */
function rankOf(key: YamlScalar): number {
  if (typeof key === "boolean") {
    return 1;
  }
  if (typeof key === "bigint") {
    return key > 0x7fff_ffff_ffff_ffffn ? 3 : 2;
  }
  if (typeof key === "number") {
    return Number.isInteger(key) ? 2 : 4;
  }
  return isYamlFloat(key) ? 4 : key === null ? 5 : 6;
}

function numberOf(key: YamlScalar): number | undefined {
  if (typeof key === "boolean" || typeof key === "number" || typeof key === "bigint") {
    return Number(key);
  }
  return isYamlFloat(key) ? key.value : undefined;
}

/** The second halves of two characters that begin alike. */
function isSurrogateTail(unitA: number, unitB: number, text: string, at: number): boolean {
  const isTail = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
  const before = text.charCodeAt(at - 1);
  return isTail(unitA) && isTail(unitB) && before >= 0xd800 && before <= 0xdbff;
}

/** Texts that differ from here on. */
function compareFrom(a: string, b: string, at: number): number {
  const [charA, charB] = [a.codePointAt(at) ?? 0, b.codePointAt(at) ?? 0];
  const [letterA, letterB] = [isLetter(charA), isLetter(charB)];
  if (letterA && letterB) {
    return charA - charB;
  }
  if (letterA || letterB) {
    return letterA ? 1 : -1;
  }
  return compareNumbers(a, b, at) || charA - charB;
}

/** By the numbers that begin here or, where one begins with a zero, go on here; of equal ones the shorter first. */
function compareNumbers(a: string, b: string, at: number): number {
  const inNumber = (a[at] === "0" || b[at] === "0") && followsNonZero(a, at);
  const [runA, runB] = [digitsAt(a, at), digitsAt(b, at)];
  const start = inNumber ? 1n : 0n;
  const [valueA, valueB] = [valueOf(runA, start), valueOf(runB, start)];
  if (valueA !== valueB) {
    return valueA < valueB ? -1 : 1;
  }
  return runA.length - runB.length;
}

function followsNonZero(text: string, at: number): boolean {
  const [, last] = /(\p{Nd}+)$/u.exec(text.slice(0, at)) ?? [];
  return last !== undefined && /[^0]/u.test(last);
}

function digitsAt(text: string, at: number): readonly string[] {
  return Array.from(/^\p{Nd}*/u.exec(text.slice(at))?.[0] ?? "");
}

/** As an int64, which wraps around. */
function valueOf(digits: readonly string[], start: bigint): bigint {
  let value = start;
  for (const digit of digits) {
    value = BigInt.asIntN(64, value * 10n + BigInt((digit.codePointAt(0) ?? 0) - 0x30));
  }
  return value;
}

function isLetter(char: number): boolean {
  if (char < 0x80) {
    return (char >= 0x41 && char <= 0x5a) || (char >= 0x61 && char <= 0x7a);
  }
  return /\p{L}/u.test(String.fromCodePoint(char));
}
