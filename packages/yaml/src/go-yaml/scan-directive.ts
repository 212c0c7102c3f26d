import { code, isBlankOrEnd, isDigit, isWordChar } from "../characters.ts";
import type { Cursor } from "./cursor.ts";
import { scannerError } from "./errors.ts";
import { scanTagHandle, scanTagUri } from "./scan-properties.ts";
import { indicator, type Token } from "./token.ts";

/** The maximum number of digits in a version number. */
const longestNumber = 2;

/** Scans a `%YAML` or `%TAG` directive and the rest of its line. Throws YamlError. */
export function scanDirective(cursor: Cursor): Token {
  const { line } = cursor;
  cursor.position += 1;
  const token = scanContent(cursor, scanName(cursor), line);
  if (!cursor.skipRestOfLine()) {
    throw scannerError("did not find expected comment or line break", cursor.line);
  }
  return token;
}

function scanName(cursor: Cursor): string {
  const from = cursor.position;
  while (isWordChar(cursor.peek())) {
    cursor.position += 1;
  }
  if (cursor.position === from) {
    throw scannerError("could not find expected directive name", cursor.line);
  }
  if (!isBlankOrEnd(cursor.peek())) {
    throw scannerError("found unexpected non-alphabetical character", cursor.line);
  }
  return cursor.text.slice(from, cursor.position);
}

function scanContent(cursor: Cursor, name: string, line: number): Token {
  switch (name) {
    case "YAML":
      return { ...indicator("version directive", line), handle: scanVersion(cursor) };
    case "TAG":
      return { ...indicator("tag directive", line), ...scanTagDirective(cursor) };
    default:
      throw scannerError("found unknown directive name", cursor.line);
  }
}

function scanVersion(cursor: Cursor): string {
  cursor.skipBlanks();
  const major = scanNumber(cursor);
  if (cursor.peek() !== code.dot) {
    throw scannerError("did not find expected digit or '.' character", cursor.line);
  }
  cursor.position += 1;
  return `${major}.${scanNumber(cursor)}`;
}

function scanNumber(cursor: Cursor): number {
  const from = cursor.position;
  while (isDigit(cursor.peek())) {
    if (cursor.position - from === longestNumber) {
      throw scannerError("found extremely long version number", cursor.line);
    }
    cursor.position += 1;
  }
  if (cursor.position === from) {
    throw scannerError("did not find expected version number", cursor.line);
  }
  return Number(cursor.text.slice(from, cursor.position));
}

function scanTagDirective(cursor: Cursor): { readonly handle: string; readonly text: string } {
  cursor.skipBlanks();
  const handle = scanTagHandle(cursor, true);
  if (cursor.peek() !== code.space && cursor.peek() !== code.tab) {
    throw scannerError("did not find expected whitespace", cursor.line);
  }
  cursor.skipBlanks();
  const text = scanTagUri(cursor);
  if (!isBlankOrEnd(cursor.peek())) {
    throw scannerError("did not find expected whitespace or line break", cursor.line);
  }
  return { handle, text };
}
