import { quoteGo } from "@weir/base";

/** A text is no number or boolean; the message is the one of Go's strconv. */
export class GoNumberError extends Error {
  override readonly name = "GoNumberError";

  constructor(functionName: string, input: string, reason: "invalid syntax" | "value out of range") {
    super(`strconv.${functionName}: parsing ${quoteGo(input)}: ${reason}`);
  }
}

const wholeNumber = /^(0[xX](_?[0-9a-fA-F])+|0[bB](_?[01])+|0[oO]?(_?[0-7])+|0|[1-9](_?[0-9])*)$/;

/** A boolean as strconv.ParseBool reads it: 1, t, T, TRUE, true, True and the like for false. */
export function parseGoBool(input: string): boolean {
  if (["1", "t", "T", "TRUE", "true", "True"].includes(input)) {
    return true;
  }
  if (["0", "f", "F", "FALSE", "false", "False"].includes(input)) {
    return false;
  }
  throw new GoNumberError("ParseBool", input, "invalid syntax");
}

/** A signed whole number of up to 64 bits; the base is told by its prefix. Beyond 2^53 it is not exact. */
export function parseGoInt(input: string): number {
  const negative = input.startsWith("-");
  const size = parseSize(input.replace(/^[-+]/, ""), "ParseInt", input);
  if (size > (negative ? 2n ** 63n : 2n ** 63n - 1n)) {
    throw new GoNumberError("ParseInt", input, "value out of range");
  }
  return Number(negative ? -size : size);
}

/** A whole number of up to 64 bits without a sign; the base is told by its prefix. */
export function parseGoUint(input: string): bigint {
  const size = parseSize(input, "ParseUint", input);
  if (size > 2n ** 64n - 1n) {
    throw new GoNumberError("ParseUint", input, "value out of range");
  }
  return size;
}

/** A decimal number with or without a fraction and an exponent; also "inf" and "nan". */
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
