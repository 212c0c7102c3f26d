import { code, isBlankOrEnd, isHexDigit, isWordChar } from "../characters.ts";
import type { Cursor } from "./cursor.ts";
import { scannerError } from "./errors.ts";
import { widthOf } from "./utf8-width.ts";

/** The characters that can follow the name of an anchor or alias, besides white space. */
const afterName: ReadonlySet<number> = new Set(Array.from("?:,]}%@`", (char) => char.charCodeAt(0)));

/** The characters that a tag can contain besides letters, digits, `-`, and `_`. */
const uriChars: ReadonlySet<number> = new Set(
  Array.from(";/?:@&=+$,.!~*'()[]%", (char) => char.charCodeAt(0)),
);

/** Scans the name of an anchor or alias, after `&` or `*`. Throws YamlError. */
export function scanAnchorName(cursor: Cursor): string {
  cursor.position += 1;
  const name = takeWord(cursor);
  const next = cursor.peek();
  if (name === "" || (!isBlankOrEnd(next) && !afterName.has(next))) {
    throw scannerError("did not find expected alphabetic or numeric character", cursor.line);
  }
  return name;
}

/** A tag as written: without a handle if it's in `!<...>` or is a lone `!`. */
export interface TagText {
  readonly handle: string;
  readonly suffix: string;
}

/** Scans a tag. Throws YamlError. */
export function scanTag(cursor: Cursor): TagText {
  const tag = cursor.peek(1) === code.less ? scanVerbatimTag(cursor) : scanShorthandTag(cursor);
  if (!isBlankOrEnd(cursor.peek())) {
    throw scannerError("did not find expected whitespace or line break", cursor.line);
  }
  return tag;
}

/** Scans a tag's handle: `!`, `!!`, or `!word!`; in a tag, also a `!word` that isn't a handle. Throws YamlError. */
export function scanTagHandle(cursor: Cursor, inDirective: boolean): string {
  if (cursor.peek() !== code.exclamation) {
    throw scannerError("did not find expected '!'", cursor.line);
  }
  cursor.position += 1;
  const word = takeWord(cursor);
  if (cursor.peek() === code.exclamation) {
    cursor.position += 1;
    return `!${word}!`;
  }
  if (inDirective && word !== "") {
    throw scannerError("did not find expected '!'", cursor.line);
  }
  return `!${word}`;
}

/** Scans the name of a tag; it can be empty only if it starts with a given `head`. Throws YamlError. */
export function scanTagUri(cursor: Cursor, head = ""): string {
  let uri = head.slice(1);
  let found = head !== "";
  for (let char = cursor.peek(); isWordChar(char) || uriChars.has(char); char = cursor.peek()) {
    found = true;
    if (char === code.percent) {
      uri += scanUriEscape(cursor);
    } else {
      uri += String.fromCharCode(char);
      cursor.position += 1;
    }
  }
  if (!found) {
    throw scannerError("did not find expected tag URI", cursor.line);
  }
  return uri;
}

function scanVerbatimTag(cursor: Cursor): TagText {
  cursor.position += 2;
  const suffix = scanTagUri(cursor);
  if (cursor.peek() !== code.greater) {
    throw scannerError("did not find the expected '>'", cursor.line);
  }
  cursor.position += 1;
  return { handle: "", suffix };
}

function scanShorthandTag(cursor: Cursor): TagText {
  const handle = scanTagHandle(cursor, false);
  if (handle.length > 1 && handle.endsWith("!")) {
    return { handle, suffix: scanTagUri(cursor) };
  }
  const suffix = scanTagUri(cursor, handle);
  return suffix === "" ? { handle: "", suffix: "!" } : { handle: "!", suffix };
}

/** A character as the octets of its UTF-8 form, each written as `%XX`. */
function scanUriEscape(cursor: Cursor): string {
  const octets = [scanOctet(cursor)];
  const width = widthOf(octets[0] ?? 0);
  if (width === 0) {
    throw scannerError("found an incorrect leading UTF-8 octet", cursor.line);
  }
  cursor.position += 3;
  while (octets.length < width) {
    const octet = scanOctet(cursor);
    if ((octet & 0xc0) !== 0x80) {
      throw scannerError("found an incorrect trailing UTF-8 octet", cursor.line);
    }
    octets.push(octet);
    cursor.position += 3;
  }
  return new TextDecoder().decode(Uint8Array.from(octets));
}

function scanOctet(cursor: Cursor): number {
  if (cursor.peek() !== code.percent || !isHexDigit(cursor.peek(1)) || !isHexDigit(cursor.peek(2))) {
    throw scannerError("did not find URI escaped octet", cursor.line);
  }
  return Number.parseInt(cursor.text.slice(cursor.position + 1, cursor.position + 3), 16);
}

function takeWord(cursor: Cursor): string {
  const from = cursor.position;
  while (isWordChar(cursor.peek())) {
    cursor.position += 1;
  }
  return cursor.text.slice(from, cursor.position);
}
