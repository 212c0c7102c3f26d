import { code, isBlankOrEnd, isBreak } from "../edit/yaml/characters.ts";
import type { Cursor } from "./cursor.ts";
import { isDocumentIndicator } from "./document-indicator.ts";
import { scannerError } from "./errors.ts";
import { LineFold } from "./line-fold.ts";
import { scanEscape } from "./scan-escape.ts";

/** Scans a scalar in single or double quotes. Throws YamlError. */
export function scanQuoted(cursor: Cursor, quote: "'" | '"'): string {
  const end = quote.charCodeAt(0);
  cursor.position += 1;
  let text = "";
  for (;;) {
    if (isDocumentIndicator(cursor)) {
      throw scannerError("found unexpected document indicator", cursor.line);
    }
    if (cursor.peek() === code.end) {
      throw scannerError("found unexpected end of stream", cursor.line);
    }
    const { piece, escapedBreak } = scanPiece(cursor, end);
    text += piece;
    if (cursor.peek() === end) {
      cursor.position += 1;
      return text;
    }
    text += scanGap(cursor, escapedBreak);
  }
}

interface Piece {
  readonly piece: string;
  /** The piece ends in a `\` before a line break, both gone past. */
  readonly escapedBreak: boolean;
}

/** Up to white space, or the end of the scalar. */
function scanPiece(cursor: Cursor, quote: number): Piece {
  let piece = "";
  let from = cursor.position;
  const taken = (): string => piece + cursor.text.slice(from, cursor.position);
  for (let char = cursor.peek(); !isBlankOrEnd(char); char = cursor.peek()) {
    if (char === quote) {
      if (quote === code.doubleQuote || cursor.peek(1) !== quote) {
        return { piece: taken(), escapedBreak: false };
      }
      piece = `${taken()}'`;
      cursor.position += 2;
      from = cursor.position;
    } else if (char === code.backslash && quote === code.doubleQuote) {
      piece = taken();
      if (isBreak(cursor.peek(1))) {
        cursor.position += 1;
        cursor.takeBreak();
        return { piece, escapedBreak: true };
      }
      piece += scanEscape(cursor);
      from = cursor.position;
    } else {
      cursor.position += 1;
    }
  }
  return { piece: taken(), escapedBreak: false };
}

/** The white space between two pieces, as it counts in the value. */
function scanGap(cursor: Cursor, escapedBreak: boolean): string {
  let fold = escapedBreak ? new LineFold("") : undefined;
  let spaces = "";
  for (;;) {
    const char = cursor.peek();
    if (char === code.space || char === code.tab) {
      spaces += fold === undefined ? String.fromCharCode(char) : "";
      cursor.position += 1;
      continue;
    }
    const lineBreak = cursor.takeBreak();
    if (lineBreak === "") {
      return fold?.join() ?? spaces;
    }
    if (fold === undefined) {
      fold = new LineFold(lineBreak);
    } else {
      fold.add(lineBreak);
    }
  }
}
