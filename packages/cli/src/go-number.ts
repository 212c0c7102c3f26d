import { quoteGo } from "@weir/base";

/** A string isn't a valid number or boolean; the message is that of Go's strconv. */
export class GoNumberError extends Error {
  override readonly name = "GoNumberError";

  constructor(functionName: string, input: string, reason: "invalid syntax" | "value out of range") {
    super(`strconv.${functionName}: parsing ${quoteGo(input)}: ${reason}`);
  }
}

const wholeNumber = /^(0[xX](_?[0-9a-fA-F])+|0[bB](_?[01])+|0[oO]?(_?[0-7])+|0|[1-9](_?[0-9])*)$/;

/** Parses a boolean like strconv.ParseBool: 1, t, T, TRUE, true, or True, and likewise for false. */
export function parseGoBool(input: string): boolean {
  if (["1", "t", "T", "TRUE", "true", "True"].includes(input)) {
    return true;
  }
  if (["0", "f", "F", "FALSE", "false", "False"].includes(input)) {
    return false;
  }
  throw new GoNumberError("ParseBool", input, "invalid syntax");
}

/** Parses a signed integer of up to 64 bits; the prefix determines the base. Inexact beyond 2^53. */
export function parseGoInt(input: string): number {
  const negative = input.startsWith("-");
  const size = parseSize(input.replace(/^[-+]/, ""), "ParseInt", input);
  if (size > (negative ? 2n ** 63n : 2n ** 63n - 1n)) {
    throw new GoNumberError("ParseInt", input, "value out of range");
  }
  return Number(negative ? -size : size);
}

/** Parses an unsigned integer of up to 64 bits; the prefix determines the base. */
export function parseGoUint(input: string): bigint {
  const size = parseSize(input, "ParseUint", input);
  if (size > 2n ** 64n - 1n) {
    throw new GoNumberError("ParseUint", input, "value out of range");
  }
  return size;
}

/** Parses a decimal number with an optional fraction and exponent, or "inf" or "nan". */
export function parseGoFloat(input: string): number {
  if (/^[-+]?(inf|infinity)$/i.test(input)) {
    return input.startsWith("-") ? -Infinity : Infinity;
  }
  if (/^nan$/i.test(input)) {
    return Number.NaN;
  }
  if (!/^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?$/i.test(input)) {
    throw new GoNumberError("ParseFloat", input, "invalid syntax");
  }
  const value = Number(input);
  if (!Number.isFinite(value)) {
    throw new GoNumberError("ParseFloat", input, "value out of range");
  }
  return value;
}

function parseSize(digits: string, functionName: string, input: string): bigint {
  if (!wholeNumber.test(digits)) {
    throw new GoNumberError(functionName, input, "invalid syntax");
  }
  const plain = digits.replaceAll("_", "");
  return BigInt(/^0[0-7]/.test(plain) ? `0o${plain.slice(1)}` : plain);
}
