import { commonEscapes, isHexDigit } from "../characters.ts";
import type { Cursor } from "./cursor.ts";
import { scannerError } from "./errors.ts";

/** The part after a `\` in double quotes, and its meaning. */
const escapes: ReadonlyMap<string, string> = new Map([...commonEscapes, ["'", "'"]]);

/** How many hexadecimal digits follow. */
const codeLengths: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

/** Skips an escape and returns its meaning. Throws YamlError. */
export function scanEscape(cursor: Cursor): string {
  const char = String.fromCharCode(cursor.peek(1));
  const length = codeLengths.get(char);
  if (length !== undefined) {
    cursor.position += 2;
    return scanCode(cursor, length);
  }
  const value = escapes.get(char);
  if (value === undefined) {
    throw scannerError("found unknown escape character", cursor.line);
  }
  cursor.position += 2;
  return value;
}

function scanCode(cursor: Cursor, length: number): string {
  for (let index = 0; index < length; index += 1) {
    if (!isHexDigit(cursor.peek(index))) {
      throw scannerError("did not find expected hexdecimal number", cursor.line);
    }
  }
  const digits = cursor.text.slice(cursor.position, cursor.position + length);
  const value = Number.parseInt(digits, 16);
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) {
    throw scannerError("found invalid Unicode character escape code", cursor.line);
  }
  cursor.position += length;
  return String.fromCodePoint(value);
}
