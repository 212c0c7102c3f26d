import { code, isBreak, isBreakOrEnd, isDigit, isSpaceBreakOrEnd } from "../characters.ts";
import type { Cursor } from "./cursor.ts";
import { EditError } from "./errors.ts";
import { Comment, Remarks, Token } from "./token.ts";

/** What a block scalar needs to know about the scanner's state. */
export interface BlockContext {
  readonly parentIndent: number;
  readonly atDocumentMark: () => boolean;
  readonly nextComment: () => Comment | undefined;
}

/**
 * In the text of a folded scalar, marks each place where a line ended in the file and the text continues, so that the
 * lines end there again.
 */
export const foldMark = "\x07";

/**
 * Scans a `|` or `>` scalar. A comment after the indicator is its `pre` comment; the empty lines and comments after it,
 * unless they're part of its value, are its `post` comment.
 *
 * @throws EditError for an invalid header
 */
export function scanBlockScalar(cursor: Cursor, style: "|" | ">", context: BlockContext): Token {
  const token = new Token("scalar", cursor);
  cursor.skip(1);
  const header = scanHeader(cursor);
  const comment = scanHeaderComment(cursor);
  const body = scanBody(cursor, style === ">", indentation(cursor, header, context), context);
  const keeps = header.chomping === "+";
  token.style = style;
  token.text = body.text + (header.chomping === "-" ? "" : body.lastBreak) + (keeps ? body.trailing : "");
  token.endAt(body.to);
  if (comment !== undefined || (!keeps && body.trailing !== "")) {
    const after =
      keeps || body.trailing === "" ? undefined : commentAfter(token.endLine, body.trailing, context);
    token.remarks = new Remarks(after, comment === undefined ? undefined : [comment]);
  }
  return token;
}

interface Header {
  readonly chomping: "+" | "-" | undefined;
  readonly increment: number | undefined;
}

function scanHeader(cursor: Cursor): Header {
  let chomping = takeChomping(cursor);
  let increment: number | undefined;
  if (isDigit(cursor.peek())) {
    increment = cursor.peek() - code.zero;
    cursor.skip(1);
    chomping ??= takeChomping(cursor);
  }
  if (increment === 0 || !isSpaceBreakOrEnd(cursor.peek())) {
    throw new EditError("the header of a block scalar isn't valid", cursor.line + 1);
  }
  return { chomping, increment };
}

function takeChomping(cursor: Cursor): "+" | "-" | undefined {
  const char = cursor.peek();
  if (char !== code.plus && char !== code.dash) {
    return undefined;
  }
  cursor.skip(1);
  return char === code.plus ? "+" : "-";
}

function scanHeaderComment(cursor: Cursor): Comment | undefined {
  const { line, column, position } = cursor;
  cursor.skipSpaces();
  let comment: Comment | undefined;
  if (cursor.peek() === code.hash) {
    while (!isBreakOrEnd(cursor.peek())) {
      cursor.skip(1);
    }
    comment = new Comment(cursor.text.slice(position, cursor.position), { line, column, header: true });
  }
  if (!isBreakOrEnd(cursor.peek())) {
    throw new EditError("the header of a block scalar isn't valid", line + 1);
  }
  cursor.takeBreak();
  return comment;
}

/** The indentation of the text, and the empty lines before its first line. */
interface Indentation {
  readonly indent: number;
  readonly atRoot: boolean;
  readonly lines: EmptyLines;
}

interface EmptyLines {
  readonly breaks: string;
  readonly to: Place;
}

interface Place {
  readonly line: number;
  readonly position: number;
}

function placeOf({ line, position }: Cursor): Place {
  return { line, position };
}

function indentation(cursor: Cursor, { increment }: Header, { parentIndent }: BlockContext): Indentation {
  const least = parentIndent + 1;
  if (increment !== undefined) {
    const indent = Math.max(least, 1) + increment - 1;
    return { indent, atRoot: false, lines: scanEmptyLines(cursor, indent) };
  }
  const found = scanIndentation(cursor);
  return { indent: Math.max(least, found.indent), atRoot: least === 0, lines: found.lines };
}

/** Determined by the first line with text, and by any longer line of spaces before it. */
function scanIndentation(cursor: Cursor): { readonly indent: number; readonly lines: EmptyLines } {
  let indent = 0;
  let breaks = "";
  let to = placeOf(cursor);
  for (;;) {
    if (cursor.peek() === code.space) {
      cursor.skipSpaces();
      indent = Math.max(indent, cursor.column);
    }
    const lineBreak = cursor.takeBreak();
    if (lineBreak === "") {
      return { indent, lines: { breaks, to } };
    }
    breaks += lineBreak;
    to = placeOf(cursor);
  }
}

function scanEmptyLines(cursor: Cursor, indent: number): EmptyLines {
  let breaks = "";
  let to = placeOf(cursor);
  for (;;) {
    while (cursor.column < indent && cursor.peek() === code.space) {
      cursor.skip(1);
    }
    if (!isBreak(cursor.peek())) {
      return { breaks, to };
    }
    breaks += cursor.takeBreak();
    to = placeOf(cursor);
  }
}

interface Body {
  readonly text: string;
  readonly lastBreak: string;
  readonly trailing: string;
  readonly to: Place;
}

function scanBody(
  cursor: Cursor,
  folded: boolean,
  { indent, atRoot, lines }: Indentation,
  context: BlockContext,
): Body {
  let text = "";
  let lastBreak = "";
  let empty = lines;
  while (cursor.column === indent && cursor.peek() !== code.end) {
    const startsVisibly = !isSpaceOrTab(cursor.peek());
    text += empty.breaks + takeLine(cursor);
    lastBreak = cursor.takeBreak();
    empty = scanEmptyLines(cursor, indent);
    const ends = cursor.column !== indent || cursor.peek() === code.end;
    if (ends || (atRoot && context.atDocumentMark())) {
      break;
    }
    const folds = folded && lastBreak === "\n";
    if (folds) {
      text += foldMark;
    }
    if (folds && startsVisibly && !isSpaceOrTab(cursor.peek())) {
      text += empty.breaks === "" ? " " : "";
    } else {
      text += lastBreak;
    }
  }
  return { text, lastBreak, trailing: empty.breaks, to: empty.to };
}

function takeLine(cursor: Cursor): string {
  let length = 0;
  while (!isBreakOrEnd(cursor.peek(length))) {
    length += 1;
  }
  return cursor.take(length);
}

function isSpaceOrTab(char: number): boolean {
  return char === code.space || char === code.tab;
}

function commentAfter(line: number, emptyLines: string, context: BlockContext): Comment {
  let text = emptyLines;
  for (let next = context.nextComment(); next !== undefined; next = context.nextComment()) {
    text += " ".repeat(next.column) + next.text;
  }
  return new Comment(text, { line, column: 0 });
}
