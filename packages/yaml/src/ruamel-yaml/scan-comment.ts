import { code, isBreakOrEnd } from "../characters.ts";
import type { Cursor } from "./cursor.ts";
import { Comment } from "./token.ts";

/** What comes before the next token: a comment or a run of blank lines, if any, and whether a line ended. */
export interface Gap {
  readonly comment: Comment | undefined;
  readonly newLine: boolean;
}

const noGap: Gap = { comment: undefined, newLine: false };
const lineEnd: Gap = { comment: undefined, newLine: true };

/** Moves to the next token, or past the next comment or run of blank lines. */
export function skipGap(cursor: Cursor): Gap {
  if (cursor.position === 0 && cursor.peek() === code.byteOrderMark) {
    cursor.skip(1);
  }
  let newLine = false;
  for (;;) {
    cursor.skipSpaces();
    if (cursor.peek() === code.hash) {
      return { comment: scanComment(cursor), newLine: true };
    }
    if (cursor.takeBreak() === "") {
      return newLine ? lineEnd : noGap;
    }
    newLine = true;
    if (cursor.peek() === code.lineFeed) {
      return { comment: scanBlankLines(cursor), newLine };
    }
  }
}

/** A comment up to the end of its line, and the empty lines after it. */
function scanComment(cursor: Cursor): Comment {
  const { line, column } = cursor;
  let text = scanCommentLine(cursor);
  for (let lineBreak = cursor.takeBreak(); lineBreak !== ""; lineBreak = cursor.takeBreak()) {
    text += lineBreak;
  }
  return new Comment(text, { line, column });
}

/** The comment with the character that ends its line: for a CRLF, that's the CR. */
function scanCommentLine(cursor: Cursor): string {
  let length = 1;
  while (!isBreakOrEnd(cursor.peek(length))) {
    length += 1;
  }
  const text = cursor.take(length);
  return cursor.peek() === code.end ? `${text}\n` : text + cursor.takeAny();
}

/** Blank lines, and the indentation of the line after them. */
function scanBlankLines(cursor: Cursor): Comment {
  const { line, column } = cursor;
  let text = "";
  for (let blank = takeBlank(cursor); blank !== ""; blank = takeBlank(cursor)) {
    text += blank;
  }
  if (cursor.peek() === code.hash) {
    text = `${text.slice(0, text.lastIndexOf("\n"))}\n`;
  }
  return new Comment(text, { line, column });
}

function takeBlank(cursor: Cursor): string {
  const lineBreak = cursor.takeBreak();
  if (lineBreak !== "") {
    return lineBreak;
  }
  const char = cursor.peek();
  return char === code.space || char === code.tab ? cursor.take(1) : "";
}
