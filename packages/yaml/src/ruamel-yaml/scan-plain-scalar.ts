import { code, isBlankOrEnd, isBreak, isFlowIndicator } from "../characters.ts";
import type { Cursor } from "./cursor.ts";
import { Comment, Remarks, Token } from "./token.ts";

/** The context of the scalar: lines with less indentation don't belong to it. */
export interface PlainContext {
  readonly indent: number;
  readonly inFlow: boolean;
  readonly version11: boolean;
}

/**
 * Scans a plain scalar, which may have several lines, and the white space after it. The empty lines after it become its
 * comment, except those before a `---`. A tab ends it.
 */
export function scanPlainScalar(cursor: Cursor, context: PlainContext): Token {
  const token = new Token("scalar", cursor);
  let gap: string | undefined = "";
  do {
    const length = pieceLength(cursor, context);
    if (length === 0) {
      break;
    }
    token.text += gap + cursor.take(length);
    token.endAt(cursor);
    gap = scanGap(cursor);
  } while (gap !== undefined && gap !== "" && goesOn(cursor, context));
  if (gap?.startsWith("\n") === true) {
    token.remarks = new Remarks(
      new Comment(`${gap}\n`, { line: token.line, column: token.column }),
      undefined,
    );
  }
  return token;
}

/** True if the scan of this token continued after the end of its last line. */
export function wentPastLine({ end }: Token, { text, position }: Cursor): boolean {
  let at = end;
  while (text.charCodeAt(at) === code.space) {
    at += 1;
  }
  return at < position;
}

function goesOn(cursor: Cursor, { inFlow, indent }: PlainContext): boolean {
  return cursor.peek() !== code.hash && (inFlow || cursor.column >= indent);
}

function pieceLength(cursor: Cursor, { inFlow, version11 }: PlainContext): number {
  let length = 0;
  for (;;) {
    const char = cursor.peek(length);
    if (isBlankOrEnd(char)) {
      return length;
    }
    if (char === code.colon) {
      if (isBlankOrEnd(cursor.peek(length + 1))) {
        return length;
      }
    } else if (inFlow && (isFlowIndicator(char) || (version11 && char === code.question))) {
      return length;
    }
    length += 1;
  }
}

/** The form of what's between two parts in the value; undefined if a document ends there. */
function scanGap(cursor: Cursor): string | undefined {
  const spaces = cursor.take(spacesAhead(cursor));
  if (!isBreak(cursor.peek())) {
    return spaces;
  }
  const first = cursor.takeBreak();
  const more = scanEmptyLines(cursor);
  if (more === undefined || first !== "\n") {
    return more === undefined ? undefined : first + more;
  }
  return more === "" ? " " : more;
}

function spacesAhead(cursor: Cursor): number {
  let length = 0;
  while (cursor.peek(length) === code.space) {
    length += 1;
  }
  return length;
}

function scanEmptyLines(cursor: Cursor): string | undefined {
  let lines = "";
  while (!atDocumentMark(cursor)) {
    cursor.skipSpaces();
    const lineBreak = cursor.takeBreak();
    if (lineBreak === "") {
      return lines;
    }
    lines += lineBreak;
  }
  return undefined;
}

function atDocumentMark(cursor: Cursor): boolean {
  return (cursor.startsWith("---") || cursor.startsWith("...")) && isBlankOrEnd(cursor.peek(3));
}
