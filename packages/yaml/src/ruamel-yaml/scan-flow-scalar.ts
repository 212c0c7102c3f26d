import { code, commonEscapes, isBlankOrEnd, isBreak, isHexDigit } from "../characters.ts";
import type { Cursor } from "./cursor.ts";
import { EditError } from "./errors.ts";
import { Token } from "./token.ts";

/**
 * Scans a quoted scalar. Lines are joined by YAML's rules; their indentation doesn't matter.
 *
 * @throws EditError if it has no end, an escape is unknown, or a document ends inside it
 */
export function scanFlowScalar(cursor: Cursor, style: "'" | '"'): Token {
  const token = new Token("scalar", cursor);
  const quote = style.charCodeAt(0);
  const scanPiece = style === '"' ? scanDoubleQuotedPiece : scanSingleQuotedPiece;
  cursor.skip(1);
  let text = scanPiece(cursor);
  while (cursor.peek() !== quote) {
    text += scanSpaces(cursor) + scanPiece(cursor);
  }
  cursor.skip(1);
  token.text = text;
  token.style = style;
  if (style === '"' && hasSurrogateEscape(cursor.text.slice(token.start, cursor.position))) {
    token.detail = { splitPairs: true };
  }
  return token.endAt(cursor);
}

function hasSurrogateEscape(source: string): boolean {
  return /\\(?:u|U0000)[dD][89a-fA-F]/.test(source);
}

function scanSingleQuotedPiece(cursor: Cursor): string {
  let text = "";
  for (;;) {
    text += cursor.take(lengthUpTo(cursor, code.singleQuote));
    if (cursor.peek() !== code.singleQuote || cursor.peek(1) !== code.singleQuote) {
      return text;
    }
    text += "'";
    cursor.skip(2);
  }
}

function scanDoubleQuotedPiece(cursor: Cursor): string {
  let text = "";
  for (;;) {
    text += cursor.take(lengthUpTo(cursor, code.doubleQuote, code.backslash));
    if (cursor.peek() !== code.backslash) {
      return text;
    }
    cursor.skip(1);
    text += scanEscape(cursor);
  }
}

function lengthUpTo(cursor: Cursor, stop: number, otherStop = stop): number {
  let length = 0;
  for (;;) {
    const char = cursor.peek(length);
    if (char === stop || char === otherStop || isBlankOrEnd(char)) {
      return length;
    }
    length += 1;
  }
}

const escapes: ReadonlyMap<string, string> = new Map([...commonEscapes, ["/", "/"]]);

const hexEscapes: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

function scanEscape(cursor: Cursor): string {
  if (isBreak(cursor.peek())) {
    cursor.takeBreak();
    return scanEmptyLines(cursor);
  }
  const name = String.fromCharCode(cursor.peek());
  const replacement = escapes.get(name);
  if (replacement !== undefined) {
    cursor.skip(1);
    return replacement;
  }
  const digits = hexEscapes.get(name);
  if (digits === undefined) {
    throw error(cursor, `unknown escape \\${name} in a double-quoted scalar`);
  }
  cursor.skip(1);
  return scanHexEscape(cursor, digits);
}

function scanHexEscape(cursor: Cursor, length: number): string {
  for (let index = 0; index < length; index += 1) {
    if (!isHexDigit(cursor.peek(index))) {
      throw error(cursor, `an escape in a double-quoted scalar needs ${length} hexadecimal digits`);
    }
  }
  const value = Number.parseInt(cursor.take(length), 16);
  if (value > 0x10ffff) {
    throw error(cursor, "an escape in a double-quoted scalar isn't a valid character");
  }
  return String.fromCodePoint(value);
}

/** The form of spaces and line breaks between two parts in the value. */
function scanSpaces(cursor: Cursor): string {
  const spaces = cursor.take(blanksAhead(cursor));
  const char = cursor.peek();
  if (char === code.end) {
    throw error(cursor, "a quoted scalar has no closing quote");
  }
  if (!isBreak(char)) {
    return spaces;
  }
  const first = cursor.takeBreak();
  const more = scanEmptyLines(cursor);
  const joint = more === "" ? " " : "";
  return (first === "\n" ? joint : first) + more;
}

function scanEmptyLines(cursor: Cursor): string {
  let lines = "";
  for (;;) {
    if ((cursor.startsWith("---") || cursor.startsWith("...")) && isBlankOrEnd(cursor.peek(3))) {
      throw error(cursor, "a document ends inside a quoted scalar");
    }
    cursor.skip(blanksAhead(cursor));
    if (!isBreak(cursor.peek())) {
      return lines;
    }
    lines += cursor.takeBreak();
  }
}

function blanksAhead(cursor: Cursor): number {
  let length = 0;
  while (cursor.peek(length) === code.space || cursor.peek(length) === code.tab) {
    length += 1;
  }
  return length;
}

function error(cursor: Cursor, reason: string): EditError {
  return new EditError(reason, cursor.line + 1);
}
