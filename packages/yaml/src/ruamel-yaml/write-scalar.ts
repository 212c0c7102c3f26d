import { code, isBreak } from "../characters.ts";
import { bestWidth, type Output } from "./output.ts";
import { foldMark } from "./scan-block-scalar.ts";

/** Writes a text unchanged; with `fold`, wide lines end at the next single space. */
export function writePlain(out: Output, text: string, fold: boolean): void {
  if (text === "") {
    return;
  }
  if (!out.whitespace) {
    out.write(" ");
  }
  startText(out);
  const mayFold = (): boolean => fold;
  writeWords(out, text, mayFold, () => {
    out.toIndent();
    startText(out);
  });
}

/** Writes a text in single quotes. A line break in it is written as an empty line. */
export function writeSingleQuoted(out: Output, text: string, fold: boolean): void {
  out.indicator("'", true);
  for (const { breaks, line, start } of linesOf(text)) {
    if (breaks !== "") {
      writeBreaks(out, breaks.startsWith("\n") ? `\n${breaks}` : breaks);
      out.toIndent();
    }
    const isInside = (from: number, to: number): boolean =>
      fold && start + from !== 0 && start + to !== text.length;
    writeWords(out, line, isInside, () => out.toIndent(), "''");
  }
  out.indicator("'", false);
}

/** How to write a text in double quotes. */
export interface DoubleQuoting {
  /** End a wide line with `\` before a space or after an escape. */
  readonly fold: boolean;
  /** Write a character beyond U+FFFF as two escapes, as it was. */
  readonly splitPairs: boolean;
}

/** Writes a text in double quotes, with escapes for unprintable characters. */
export function writeDoubleQuoted(out: Output, text: string, { fold, splitPairs }: DoubleQuoting): void {
  out.indicator('"', true);
  if (out.column + text.length <= bestWidth && !needsEscapes.test(text)) {
    out.write(text);
  } else {
    writeEscaped(out, text, fold, splitPairs);
  }
  out.indicator('"', false);
}

/** Writes a `>` scalar: lines end where they ended before, and where they're wide. */
export function writeFolded(out: Output, text: string, atRoot: boolean): void {
  out.indicator(`>${hintsOf(text, atRoot).header}`, true);
  out.lineBreak();
  let afterIndented = true;
  for (const { breaks, line } of linesOf(text)) {
    const isIndented = line.startsWith(" ");
    const doubled = !afterIndented && line !== "" && !isIndented && breaks.startsWith("\n");
    writeBreaks(out, doubled ? `\n${breaks}` : breaks);
    afterIndented = isIndented;
    if (line !== "") {
      out.toIndent();
      writeFoldedLine(out, line);
    }
  }
  if (text !== "" && !/[ \n\x85\u2028\u2029]$/.test(text)) {
    out.lineBreak();
  }
}

/** The place of a `|` scalar, and the comment on its first line. */
export interface LiteralPlace {
  readonly atRoot: boolean;
  readonly comment: string;
}

/** Writes a `|` scalar. */
export function writeLiteral(out: Output, text: string, { atRoot, comment }: LiteralPlace): void {
  const { header, indent } = hintsOf(text, atRoot);
  out.indicator(`|${header}`, true);
  out.put(comment);
  out.lineBreak();
  for (const { breaks, line } of linesOf(text)) {
    writeBreaks(out, breaks);
    if (line !== "") {
      if (atRoot) {
        out.put(" ".repeat(indent + (out.indent ?? 0)));
      } else {
        out.toIndent();
      }
      out.put(line);
    }
  }
  if (text !== "" && !isValueBreak(text.charCodeAt(text.length - 1))) {
    out.lineBreak();
  }
}

function startText(out: Output): void {
  out.whitespace = false;
  out.indention = false;
}

/** A line of a text, the line breaks before it, and its start. */
interface Line {
  readonly breaks: string;
  readonly line: string;
  readonly start: number;
}

function* linesOf(text: string): Generator<Line> {
  let at = 0;
  do {
    let start = at;
    while (isValueBreak(text.charCodeAt(start))) {
      start += 1;
    }
    let end = start;
    while (end < text.length && !isValueBreak(text.charCodeAt(end))) {
      end += 1;
    }
    yield { breaks: text.slice(at, start), line: text.slice(start, end), start };
    at = end;
  } while (at < text.length);
}

function isValueBreak(char: number): boolean {
  return isBreak(char) && char !== code.carriageReturn;
}

function writeBreaks(out: Output, breaks: string): void {
  for (const lineBreak of breaks) {
    out.lineBreak(lineBreak);
  }
}

/** Writes words and the spaces between them; wide lines end at single spaces if `mayFold` is set. */
function writeWords(
  out: Output,
  text: string,
  mayFold: (from: number, to: number) => boolean,
  fold: () => void,
  quote = "'",
): void {
  const quoted = quote === "'" || !text.includes("'") ? text : text.replaceAll("'", quote);
  if (out.column + quoted.length <= bestWidth) {
    out.write(quoted);
    return;
  }
  let at = 0;
  while (at < text.length) {
    const space = text.indexOf(" ", at);
    const wordEnd = space < 0 ? text.length : space;
    out.write(text.slice(at, wordEnd).replaceAll("'", quote));
    at = wordEnd;
    while (text.charCodeAt(at) === code.space) {
      at += 1;
    }
    if (at === wordEnd + 1 && out.isWide() && mayFold(wordEnd, at)) {
      fold();
    } else {
      out.write(text.slice(wordEnd, at));
    }
  }
}

function writeFoldedLine(out: Output, line: string): void {
  const [first = "", ...others] = line.split(foldMark);
  const fold = (): void => out.toIndent();
  writeWords(out, first, () => true, fold);
  for (const piece of others) {
    out.lineBreak();
    out.toIndent();
    writeWords(out, piece.slice(1), () => true, fold);
  }
}

const needsEscapes = /[^ !#-[\]-~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

const escapes: ReadonlyMap<number, string> = new Map([
  [0x00, "\\0"],
  [0x07, "\\a"],
  [0x08, "\\b"],
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0b, "\\v"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
  [0x1b, "\\e"],
  [code.doubleQuote, '\\"'],
  [code.backslash, "\\\\"],
  [code.nextLine, "\\N"],
  [code.lineSeparator, "\\L"],
  [code.paragraphSeparator, "\\P"],
]);

function writeEscaped(out: Output, text: string, fold: boolean, splitPairs: boolean): void {
  let start = 0;
  for (let end = 0; end < text.length; ) {
    const point = splitPairs ? text.charCodeAt(end) : (text.codePointAt(end) ?? 0);
    const next = end + (point > 0xffff ? 2 : 1);
    if (mustEscape(point)) {
      out.write(text.slice(start, end) + escape(point));
      start = next;
    }
    const isPlace = point === code.space || start >= end;
    const pending = start > end ? -1 : end - start;
    if (fold && isPlace && end > 0 && next < text.length && out.column + pending > bestWidth) {
      out.write(`${text.slice(start, end)}\\`);
      start = Math.max(start, end);
      breakEscaped(out, text.charCodeAt(start) === code.space);
    }
    end = next;
  }
  out.write(text.slice(start));
}

/** A space at the start of a line counts only after a `\`. */
function breakEscaped(out: Output, beforeSpace: boolean): void {
  out.toIndent();
  startText(out);
  if (beforeSpace) {
    out.write("\\");
  }
}

function mustEscape(point: number): boolean {
  if (point < 0xa0) {
    return point < code.space || point > 0x7e || point === code.doubleQuote || point === code.backslash;
  }
  return (
    (point > 0xd7ff && point < 0xe000) ||
    point > 0xfffd ||
    point === code.lineSeparator ||
    point === code.paragraphSeparator ||
    point === code.byteOrderMark
  );
}

function escape(point: number): string {
  const hex = point.toString(16).toUpperCase();
  const known = escapes.get(point);
  if (known !== undefined) {
    return known;
  }
  if (point <= 0xff) {
    return `\\x${hex.padStart(2, "0")}`;
  }
  return point <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** The header after the indicator, and the indentation of a literal at the root. */
interface BlockHints {
  readonly header: string;
  readonly indent: number;
}

/** Writes the indentation if the text starts with white space, and then whether to strip or keep its end. */
function hintsOf(text: string, atRoot: boolean): BlockHints {
  const startsBlank = /^[ \n\x85\u2028\u2029]/.test(text);
  const hasDocumentMark = atRoot && /\n(?:---|\.\.\.)[ \r\n]/.test(text);
  return {
    header: `${startsBlank ? "2" : ""}${chompingOf(text)}`,
    indent: startsBlank || hasDocumentMark ? 2 : 0,
  };
}

function chompingOf(text: string): string {
  if (text === "") {
    return "";
  }
  if (!isValueBreak(text.charCodeAt(text.length - 1))) {
    return "-";
  }
  return text.length === 1 || isValueBreak(text.charCodeAt(text.length - 2)) ? "+" : "";
}
