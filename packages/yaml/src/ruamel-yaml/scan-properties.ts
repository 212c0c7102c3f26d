import {
  code,
  isAnchorChar,
  isBlankOrEnd,
  isBreakOrEnd,
  isDigit,
  isFlowIndicator,
  isHexDigit,
  isSpaceBreakOrEnd,
  isWordChar,
} from "../characters.ts";
import type { Cursor } from "./cursor.ts";
import { EditError } from "./errors.ts";
import { Token, type TokenDetail } from "./token.ts";

/** Scans `&name` or `*name`. */
export function scanAnchor(cursor: Cursor, kind: "anchor" | "alias"): Token {
  const token = new Token(kind, cursor);
  cursor.skip(1);
  token.text = cursor.take(lengthWhile(cursor, isAnchorChar));
  const after = cursor.peek();
  if (token.text === "" || !(isBlankOrEnd(after) || isFlowIndicator(after))) {
    throw error(cursor, `an ${kind} needs a name of visible characters`);
  }
  return token.endAt(cursor);
}

/** Scans `!suffix`, `!handle!suffix`, `!<verbatim>` or a lone `!`. */
export function scanTag(cursor: Cursor): Token {
  const token = new Token("tag", cursor);
  const { text, handle } = scanTagName(cursor);
  token.text = text;
  token.detail = { handle };
  if (!isSpaceBreakOrEnd(cursor.peek())) {
    throw error(cursor, "a tag must be followed by a space");
  }
  return token.endAt(cursor);
}

function scanTagName(cursor: Cursor): { readonly text: string; readonly handle: string | undefined } {
  const next = cursor.peek(1);
  if (next === code.less) {
    return { text: scanVerbatimTag(cursor), handle: undefined };
  }
  if (isBlankOrEnd(next)) {
    return { text: cursor.take(1), handle: undefined };
  }
  const handle = hasHandle(cursor) ? scanTagHandle(cursor) : cursor.take(1);
  return { handle, text: scanTagUri(cursor) };
}

function scanVerbatimTag(cursor: Cursor): string {
  cursor.skip(2);
  const text = scanTagUri(cursor);
  if (cursor.peek() !== code.greater) {
    throw error(cursor, "a tag written as !<...> has no closing '>'");
  }
  cursor.skip(1);
  return text;
}

function hasHandle(cursor: Cursor): boolean {
  let length = 1;
  while (!isSpaceBreakOrEnd(cursor.peek(length))) {
    if (cursor.peek(length) === code.exclamation) {
      return true;
    }
    length += 1;
  }
  return false;
}

function scanTagHandle(cursor: Cursor): string {
  if (cursor.peek() !== code.exclamation) {
    throw error(cursor, "a tag handle must start with '!'");
  }
  let length = 1;
  if (cursor.peek(length) !== code.space) {
    while (isWordChar(cursor.peek(length))) {
      length += 1;
    }
    if (cursor.peek(length) !== code.exclamation) {
      throw error(cursor, "a tag handle must end with '!'");
    }
    length += 1;
  }
  return cursor.take(length);
}

const uriChars = /[0-9A-Za-z\-;/?:@&=+$,_.!~*'()[\]]/;

function scanTagUri(cursor: Cursor): string {
  const from = cursor.position;
  let text = "";
  for (;;) {
    text += cursor.take(lengthWhile(cursor, (char) => uriChars.test(String.fromCharCode(char))));
    if (cursor.peek() !== code.percent) {
      break;
    }
    text += scanUriEscapes(cursor);
  }
  if (cursor.position === from) {
    throw error(cursor, "a tag has no name");
  }
  return text;
}

function scanUriEscapes(cursor: Cursor): string {
  const bytes: number[] = [];
  while (cursor.peek() === code.percent) {
    cursor.skip(1);
    if (!isHexDigit(cursor.peek()) || !isHexDigit(cursor.peek(1))) {
      throw error(cursor, "a '%' in a tag needs two hexadecimal digits");
    }
    bytes.push(Number.parseInt(cursor.take(2), 16));
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch (cause) {
    throw new EditError("the escapes in a tag aren't valid UTF-8", cursor.line + 1, { cause });
  }
}

/** Scans a line that starts with `%`; for a directive other than %YAML and %TAG, only the name is kept. */
export function scanDirective(cursor: Cursor): Token {
  const token = new Token("directive", cursor);
  cursor.skip(1);
  token.text = cursor.take(lengthWhile(cursor, isDirectiveChar));
  if (token.text === "" || !isSpaceBreakOrEnd(cursor.peek())) {
    throw error(cursor, "a directive has no name");
  }
  token.detail = scanDirectiveValue(cursor, token.text);
  endDirectiveLine(cursor);
  return token.endAt(cursor);
}

function isDirectiveChar(char: number): boolean {
  return isWordChar(char) || char === code.colon || char === code.dot;
}

function scanDirectiveValue(cursor: Cursor, name: string): TokenDetail {
  switch (name) {
    case "YAML":
      return { version: scanVersion(cursor) };
    case "TAG":
      return { handle: scanTagDirective(cursor) };
    default:
      cursor.skip(lengthWhile(cursor, (char) => !isBreakOrEnd(char)));
      return {};
  }
}

interface Version {
  readonly major: number;
  readonly minor: number;
}

function scanVersion(cursor: Cursor): Version {
  cursor.skipSpaces();
  const major = cursor.take(lengthWhile(cursor, isDigit));
  const dot = cursor.peek() === code.dot ? cursor.take(1) : "";
  const minor = cursor.take(lengthWhile(cursor, isDigit));
  if (major === "" || dot === "" || minor === "" || !isSpaceBreakOrEnd(cursor.peek())) {
    throw error(cursor, "a %YAML directive needs a version");
  }
  return { major: Number(major), minor: Number(minor) };
}

/** Only the handle matters: tags are written unchanged, so the handle's meaning isn't needed. */
function scanTagDirective(cursor: Cursor): string {
  cursor.skipSpaces();
  const handle = scanTagHandle(cursor);
  if (cursor.peek() !== code.space) {
    throw error(cursor, "a %TAG directive needs a handle and a prefix");
  }
  cursor.skipSpaces();
  scanTagUri(cursor);
  if (!isSpaceBreakOrEnd(cursor.peek())) {
    throw error(cursor, "the prefix of a %TAG directive contains a character that isn't allowed in tags");
  }
  return handle;
}

function endDirectiveLine(cursor: Cursor): void {
  cursor.skipSpaces();
  if (cursor.peek() === code.hash) {
    cursor.skip(lengthWhile(cursor, (char) => !isBreakOrEnd(char)));
  }
  if (!isBreakOrEnd(cursor.peek())) {
    throw error(cursor, "only a comment can follow a directive on its line");
  }
  cursor.takeBreak();
}

function lengthWhile(cursor: Cursor, holds: (char: number) => boolean): number {
  let length = 0;
  while (holds(cursor.peek(length))) {
    length += 1;
  }
  return length;
}

function error(cursor: Cursor, reason: string): EditError {
  return new EditError(reason, cursor.line + 1);
}
