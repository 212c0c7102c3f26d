import { code, isDigit, isLowSurrogate, widthOf } from "../characters.ts";
import { isYamlBytes, isYamlFloat, type YamlScalar } from "./value.ts";

/**
 * Compares the keys of a mapping in yaml.v2's order: numbers and Booleans by value, then null, then strings. In
 * strings, numbers are compared by value ("a2" before "a10"), and letters come after everything else.
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

/** Compares keys that are strings. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const unitA = a.charCodeAt(at);
    const unitB = b.charCodeAt(at);
    if (unitA !== unitB) {
      if (isAsciiLetter(unitA) && isAsciiLetter(unitB)) {
        return unitA - unitB;
      }
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

/** Compares integers that are the same float64. */
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

/** True for the second halves of two surrogate pairs with the same first half. */
function isSurrogateTail(unitA: number, unitB: number, text: string, at: number): boolean {
  const isTail = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
  const before = text.charCodeAt(at - 1);
  return isTail(unitA) && isTail(unitB) && before >= 0xd800 && before <= 0xdbff;
}

/** Compares texts that differ from here on. */
function compareFrom(a: string, b: string, at: number): number {
  const charA = a.codePointAt(at) ?? 0;
  const charB = b.codePointAt(at) ?? 0;
  const letterA = isLetter(charA);
  const letterB = isLetter(charB);
  if (letterA && letterB) {
    return charA - charB;
  }
  if (letterA || letterB) {
    return letterA ? 1 : -1;
  }
  return compareNumbers(a, b, at) || charA - charB;
}

/**
 * Compares the numbers that start here or, if one starts with a zero, continue here; if they're equal, the shorter one
 * comes first.
 */
function compareNumbers(a: string, b: string, at: number): number {
  const inNumber = (a[at] === "0" || b[at] === "0") && followsNonZero(a, at);
  const endA = digitsEnd(a, at);
  const endB = digitsEnd(b, at);
  const valueA = valueOf(a, at, endA, inNumber);
  const valueB = valueOf(b, at, endB, inNumber);
  if (valueA < valueB || valueA > valueB) {
    return valueA < valueB ? -1 : 1;
  }
  return digitsIn(a, at, endA) - digitsIn(b, at, endB);
}

/** True if the text before this position is part of a number that has already started. */
function followsNonZero(text: string, at: number): boolean {
  for (let end = at; end > 0; ) {
    const isPair = isLowSurrogate(text.charCodeAt(end - 1));
    const char = text.codePointAt(isPair ? end - 2 : end - 1) ?? 0;
    if (char !== code.zero) {
      return isAnyDigit(char);
    }
    end -= 1;
  }
  return false;
}

/** The end of the digits that start at a position. */
function digitsEnd(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) {
    end += 1;
  }
  for (
    let char = text.codePointAt(end);
    char !== undefined && isAnyDigit(char);
    char = text.codePointAt(end)
  ) {
    end += char > 0xffff ? 2 : 1;
  }
  return end;
}

/** A number with this many ASCII digits, and one before them, is represented exactly. */
const plainDigits = 14;

/** As an int64, which wraps around. */
function valueOf(text: string, at: number, end: number, inNumber: boolean): number | bigint {
  if (end - at > plainDigits) {
    return longValueOf(text.slice(at, end), inNumber);
  }
  let value = inNumber ? 1 : 0;
  for (let from = at; from < end; from += 1) {
    const char = text.charCodeAt(from);
    if (!isDigit(char)) {
      return longValueOf(text.slice(at, end), inNumber);
    }
    value = value * 10 + (char - code.zero);
  }
  return value;
}

function longValueOf(digits: string, inNumber: boolean): bigint {
  let value = inNumber ? 1n : 0n;
  for (const digit of digits) {
    value = BigInt.asIntN(64, value * 10n + BigInt((digit.codePointAt(0) ?? 0) - code.zero));
  }
  return value;
}

function digitsIn(text: string, at: number, end: number): number {
  return end - at <= 1 ? end - at : widthOf(text.slice(at, end));
}

function isAnyDigit(char: number): boolean {
  return char < 0x80 ? isDigit(char) : /\p{Nd}/u.test(String.fromCodePoint(char));
}

function isLetter(char: number): boolean {
  return char < 0x80 ? isAsciiLetter(char) : /\p{L}/u.test(String.fromCodePoint(char));
}

function isAsciiLetter(char: number): boolean {
  return (char >= 0x41 && char <= 0x5a) || (char >= 0x61 && char <= 0x7a);
}
