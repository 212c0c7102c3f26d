import { code, isBlankOrEnd, isBreak, isBreakOrEnd, isFlowIndicator } from "../characters.ts";
import { TextBuilder } from "../text-builder.ts";
import type { Cursor } from "./cursor.ts";
import { isDocumentIndicator } from "./document-indicator.ts";
import { scannerError } from "./errors.ts";
import { LineFold } from "./line-fold.ts";

/** The context of the scalar: lines with less indentation don't belong to it. */
export interface PlainContext {
  readonly indent: number;
  readonly inFlow: boolean;
}

/** The value, and whether the scan continued after the end of its last line. */
export interface PlainScan {
  readonly text: string;
  readonly endedLine: boolean;
}

/** Scans a plain scalar, which may have several lines. Throws YamlError. */
export function scanPlain(cursor: Cursor, context: PlainContext): PlainScan {
  const text = new TextBuilder();
  let fold: LineFold | undefined;
  for (;;) {
    if (isDocumentIndicator(cursor) || cursor.peek() === code.hash) {
      break;
    }
    const from = cursor.position;
    const end = lineEnd(cursor.text, from, context.inFlow);
    if (end > from) {
      text.add(fold?.join() ?? "");
      text.add(cursor.text.slice(from, end));
      cursor.position = end;
      fold = undefined;
    }
    const char = cursor.peek();
    if (!isBlank(char) && !isBreak(char)) {
      break;
    }
    cursor.skipBlanks();
    fold = scanBreaks(cursor, context.indent);
    if (!context.inFlow && cursor.column < context.indent) {
      break;
    }
  }
  return { text: text.text, endedLine: fold !== undefined };
}

/** The end of the scalar's part on this line: before trailing white space. */
function lineEnd(text: string, from: number, inFlow: boolean): number {
  let end = wordEnd(text, from, inFlow);
  for (;;) {
    let next = end;
    while (isBlank(text.charCodeAt(next))) {
      next += 1;
    }
    const char = text.charCodeAt(next);
    if (next === end || char === code.hash || isBreakOrEnd(char)) {
      return end;
    }
    const nextEnd = wordEnd(text, next, inFlow);
    if (nextEnd === next) {
      return end;
    }
    end = nextEnd;
  }
}

function wordEnd(text: string, from: number, inFlow: boolean): number {
  let at = from;
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

function isBlank(char: number): boolean {
  return char === code.space || char === code.tab;
}

/** The line breaks up to the next line with content; undefined if the line continues. */
function scanBreaks(cursor: Cursor, indent: number): LineFold | undefined {
  const first = cursor.takeBreak();
  if (first === "") {
    return undefined;
  }
  const fold = new LineFold(first);
  for (;;) {
    const char = cursor.peek();
    if (isBlank(char)) {
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
