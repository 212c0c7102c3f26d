import type { Resolved } from "./resolved.ts";
import { yamlFloat } from "./value.ts";

const largestInt = 0x7fff_ffff_ffff_ffffn;
const largestUint = 0xffff_ffff_ffff_ffffn;

const decimalInteger = /^[+-]?(?:0|[1-9][0-9]*)$/;
const prefixedInteger = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+)$/;
const looseBinary = /^(?:0b([+-]?)|-0b)([01]+)$/;
const decimalFloat = /^[+-]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][+-]?[0-9]+)?$/;
const pointFloat = /^\.[0-9](?:_?[0-9])*(?:[eE][+-]?[0-9](?:_?[0-9])*)?$/;

/** Parses a number in any form that yaml.v2 accepts; undefined if the text isn't one. */
export function readNumber(text: string): Resolved | undefined {
  if (text.startsWith(".")) {
    return pointFloat.test(text) ? toFloat(text.replaceAll("_", "")) : undefined;
  }
  const plain = text.includes("_") ? text.replaceAll("_", "") : text;
  return (
    readInteger(plain) ?? (decimalFloat.test(plain) ? toFloat(plain) : undefined) ?? readLooseBinary(plain)
  );
}

function readInteger(text: string): Resolved | undefined {
  if (text.length <= 15 && decimalInteger.test(text)) {
    return { tag: "int", value: Number(text) + 0 };
  }
  if (decimalInteger.test(text)) {
    return toInteger(/^[+-]/.test(text) ? text.slice(0, 1) : "", text.replace(/^[+-]/, ""));
  }
  const [, sign = "", digits] = prefixedInteger.exec(text) ?? [];
  return digits === undefined ? undefined : toInteger(sign, digits.replace(/^0(?=[0-7])/, "0o"));
}

/** Parses binary numbers with a sign after the prefix; those with a sign before it are parsed elsewhere. */
function readLooseBinary(text: string): Resolved | undefined {
  const [, sign = "-", digits] = looseBinary.exec(text) ?? [];
  return digits === undefined ? undefined : toInteger(sign, `0b${digits}`);
}

/** Only a number without a sign can be as large as a uint64. */
function toInteger(sign: string, digits: string): Resolved | undefined {
  const size = BigInt(digits);
  const value = sign === "-" ? -size : size;
  if (value < -largestInt - 1n || value > (sign === "" ? largestUint : largestInt)) {
    return undefined;
  }
  const isSafe = size <= Number.MAX_SAFE_INTEGER;
  return { tag: "int", value: isSafe ? Number(value) + 0 : value };
}

/** Go doesn't parse numbers beyond the range of a float64. */
function toFloat(text: string): Resolved | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) {
    return undefined;
  }
  return { tag: "float", value: Number.isInteger(value) ? yamlFloat(value) : value };
}
