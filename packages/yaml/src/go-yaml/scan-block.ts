import { code, isDigit } from "../characters.ts";
import { TextBuilder } from "../text-builder.ts";
import type { Cursor } from "./cursor.ts";
import { scannerError } from "./errors.ts";

/** The header of a block scalar. */
interface Header {
  readonly chomping: "clip" | "strip" | "keep";
  /** The indentation relative to the parent; 0 if the first line decides. */
  readonly increment: number;
}

/** Scans a scalar that starts with `|` or `>`; `parentIndent` is -1 outside of all blocks. Throws YamlError. */
export function scanBlock(cursor: Cursor, style: "|" | ">", parentIndent: number): string {
  cursor.position += 1;
  const { chomping, increment } = scanHeader(cursor);
  if (!cursor.skipRestOfLine()) {
    throw scannerError("did not find expected comment or line break", cursor.line);
  }
  const given = increment === 0 ? 0 : Math.max(parentIndent, 0) + increment;
  const start = scanEmptyLines(cursor, given, parentIndent);
  const { text, lineBreak, breaks } = scanLines(cursor, style, start);
  return text + (chomping === "strip" ? "" : lineBreak) + (chomping === "keep" ? breaks : "");
}

function scanHeader(cursor: Cursor): Header {
  const before = scanChomping(cursor);
  const increment = scanIncrement(cursor);
  const chomping = before ?? (increment === 0 ? undefined : scanChomping(cursor)) ?? "clip";
  return { chomping, increment };
}

function scanChomping(cursor: Cursor): "strip" | "keep" | undefined {
  const char = cursor.peek();
  if (char !== code.plus && char !== code.dash) {
    return undefined;
  }
  cursor.position += 1;
  return char === code.plus ? "keep" : "strip";
}

function scanIncrement(cursor: Cursor): number {
  const char = cursor.peek();
  if (!isDigit(char)) {
    return 0;
  }
  if (char === code.zero) {
    throw scannerError("found an indentation indicator equal to 0", cursor.line);
  }
  cursor.position += 1;
  return char - code.zero;
}

interface EmptyLines {
  readonly breaks: string;
  readonly indent: number;
}

interface Lines {
  readonly text: string;
  /** The break of the last line, and those of the empty lines after it. */
  readonly lineBreak: string;
  readonly breaks: string;
}

function scanLines(cursor: Cursor, style: "|" | ">", { breaks: first, indent }: EmptyLines): Lines {
  const text = new TextBuilder();
  let lineBreak = "";
  let breaks = first;
  let blank = false;
  while (cursor.column === indent && cursor.peek() !== code.end) {
    const startsBlank = isBlank(cursor.peek());
    const folds = style === ">" && lineBreak === "\n" && !blank && !startsBlank;
    text.add(folds ? (breaks === "" ? " " : "") : lineBreak);
    text.add(breaks);
    blank = startsBlank;
    const from = cursor.position;
    cursor.skipLine();
    text.add(cursor.text.slice(from, cursor.position));
    lineBreak = cursor.takeBreak();
    ({ breaks } = scanEmptyLines(cursor, indent, indent));
  }
  return { text: text.text, lineBreak, breaks };
}

/**
 * Skips empty lines, and the indentation of the line after them. If the indentation isn't given yet, it's that of the
 * most indented of these lines, and more than the parent's.
 */
function scanEmptyLines(cursor: Cursor, given: number, parentIndent: number): EmptyLines {
  let breaks: TextBuilder | undefined;
  let deepest = 0;
  for (;;) {
    while ((given === 0 || cursor.column < given) && cursor.peek() === code.space) {
      cursor.position += 1;
    }
    deepest = Math.max(deepest, cursor.column);
    if ((given === 0 || cursor.column < given) && cursor.peek() === code.tab) {
      throw scannerError("found a tab character where an indentation space is expected", cursor.line);
    }
    const lineBreak = cursor.takeBreak();
    if (lineBreak === "") {
      return {
        breaks: breaks?.text ?? "",
        indent: given === 0 ? Math.max(deepest, parentIndent + 1, 1) : given,
      };
    }
    breaks ??= new TextBuilder();
    breaks.add(lineBreak);
  }
}

function isBlank(char: number): boolean {
  return char === code.space || char === code.tab;
}
