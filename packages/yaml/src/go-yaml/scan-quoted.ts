import { code, isBreak, isBreakOrEnd } from "../characters.ts";
import { TextBuilder } from "../text-builder.ts";
import type { Cursor } from "./cursor.ts";
import { isDocumentIndicator } from "./document-indicator.ts";
import { scannerError } from "./errors.ts";
import { LineFold } from "./line-fold.ts";
import { scanEscape } from "./scan-escape.ts";

/** Scans a scalar in single or double quotes. Throws YamlError. */
export function scanQuoted(cursor: Cursor, quote: "'" | '"'): string {
  const end = quote.charCodeAt(0);
  cursor.position += 1;
  const text = new TextBuilder();
  for (;;) {
    if (isDocumentIndicator(cursor)) {
      throw scannerError("found unexpected document indicator", cursor.line);
    }
    if (cursor.peek() === code.end) {
      throw scannerError("found unexpected end of stream", cursor.line);
    }
    const escapedBreak = scanLine(cursor, end, text);
    if (cursor.peek() === end) {
      cursor.position += 1;
      return text.text;
    }
    text.add(scanGap(cursor, escapedBreak));
  }
}

/**
 * Scans up to the white space at the end of the line, or the end of the scalar. True if the line ends with a `\` before
 * its line break, in which case both are skipped.
 */
function scanLine(cursor: Cursor, quote: number, text: TextBuilder): boolean {
  for (;;) {
    const from = cursor.position;
    cursor.position = runEnd(cursor.text, from, quote);
    text.add(cursor.text.slice(from, cursor.position));
    const char = cursor.peek();
    if (char === code.backslash && quote === code.doubleQuote) {
      if (isBreak(cursor.peek(1))) {
        cursor.position += 1;
        cursor.takeBreak();
        return true;
      }
      text.add(scanEscape(cursor));
    } else if (char === code.singleQuote && quote === char && cursor.peek(1) === quote) {
      text.add("'");
      cursor.position += 2;
    } else {
      return false;
    }
  }
}

/**
 * The end of the characters on this line that aren't special: at a quote or an escape, or before white space up to a
 * line break.
 */
function runEnd(text: string, from: number, quote: number): number {
  let at = from;
  let blanksFrom = from;
  for (;;) {
    const char = text.charCodeAt(at);
    if (isBreakOrEnd(char)) {
      return blanksFrom;
    }
    if (char === quote || (char === code.backslash && quote === code.doubleQuote)) {
      return at;
    }
    at += 1;
    if (char !== code.space && char !== code.tab) {
      blanksFrom = at;
    }
  }
}

/** The form of the white space between two lines in the value. */
function scanGap(cursor: Cursor, escapedBreak: boolean): string {
  let fold = escapedBreak ? new LineFold("") : undefined;
  for (;;) {
    cursor.skipBlanks();
    const lineBreak = cursor.takeBreak();
    if (lineBreak === "") {
      return fold?.join() ?? "";
    }
    if (fold === undefined) {
      fold = new LineFold(lineBreak);
    } else {
      fold.add(lineBreak);
    }
  }
}
