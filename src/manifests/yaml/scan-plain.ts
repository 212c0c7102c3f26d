import { code, isBlankOrEnd, isBreak, isFlowIndicator } from "../edit/yaml/characters.ts";
import type { Cursor } from "./cursor.ts";
import { isDocumentIndicator } from "./document-indicator.ts";
import { scannerError } from "./errors.ts";
import { LineFold } from "./line-fold.ts";

/** Where the scalar stands: lines that are indented less do not belong to it. */
export interface PlainContext {
  readonly indent: number;
  readonly inFlow: boolean;
}

/** The value, and whether the scan went on past the end of its last line. */
export interface PlainScan {
  readonly text: string;
  readonly endedLine: boolean;
}

/** Scans a plain scalar, over several lines where they go on. Throws YamlError. */
export function scanPlain(cursor: Cursor, context: PlainContext): PlainScan {
  let text = "";
  let fold: LineFold | undefined;
  let spaces = "";
  for (;;) {
    if (isDocumentIndicator(cursor) || cursor.peek() === code.hash) {
      break;
    }
    const from = cursor.position;
    const piece = cursor.text.slice(from, pieceEnd(cursor, context.inFlow));
    if (piece !== "") {
      text += (fold?.join() ?? spaces) + piece;
      cursor.position = from + piece.length;
      fold = undefined;
      spaces = "";
    }
    const char = cursor.peek();
    if (char !== code.space && char !== code.tab && !isBreak(char)) {
      break;
    }
    spaces = takeBlanks(cursor);
    fold = scanBreaks(cursor, context.indent);
    if (!context.inFlow && cursor.column < context.indent) {
      break;
    }
  }
  return { text, endedLine: fold !== undefined };
}

function pieceEnd(cursor: Cursor, inFlow: boolean): number {
  const { text } = cursor;
  let at = cursor.position;
  for (;;) {
    const char = text.charCodeAt(at);
    if (isBlankOrEnd(char)) {
      return at;
    }
    if (char === code.colon) {
      if (isBlankOrEnd(text.charCodeAt(at + 1))) {
        return at;
      }
    } else if (inFlow && (isFlowIndicator(char) || char === code.question)) {
      return at;
    }
    at += 1;
  }
}

function takeBlanks(cursor: Cursor): string {
  const from = cursor.position;
  cursor.skipBlanks();
  return cursor.text.slice(from, cursor.position);
}

/** The line breaks up to the next line with something on it; nothing where the line goes on. */
function scanBreaks(cursor: Cursor, indent: number): LineFold | undefined {
  const first = cursor.takeBreak();
  if (first === "") {
    return undefined;
  }
  const fold = new LineFold(first);
  for (;;) {
    const char = cursor.peek();
    if (char === code.space || char === code.tab) {
      if (char === code.tab && cursor.column < indent) {
        throw scannerError("found a tab character that violates indentation", cursor.line);
      }
      cursor.position += 1;
      continue;
    }
    const more = cursor.takeBreak();
    if (more === "") {
      return fold;
    }
    fold.add(more);
  }
}
