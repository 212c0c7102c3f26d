import { makeVisible } from "@weir/base";
import stringWidth from "string-width";

/** What a text means, which decides its color. */
export type Tone = "plain" | "heading" | "good" | "pending" | "bad" | "faint";

/** A part of a line. */
export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

/** A line of the screen. */
export interface Line {
  readonly spans: readonly Span[];
  /** Drawn with swapped colors. */
  readonly isSelected?: boolean;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A line with one meaning. */
export function lineOf(text: string, tone: Tone = "plain"): Line {
  return { spans: [span(text, tone)] };
}

/** A part of a line; text from outside is made harmless, and stays on the line. */
export function span(text: string, tone: Tone = "plain"): Span {
  return { text: harmless(text), tone };
}

/** Text without line breaks, tabs, and anything that a terminal would interpret. */
function harmless(text: string): string {
  return makeVisible(text.replaceAll(/[\t\n\v\f\r\u2028\u2029]+/g, " "));
}

/** How many columns a text takes. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** The beginning of a text that fits; what's cut off is marked with "…" or, in a very small space, not at all. */
export function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) {
    return text;
  }
  const mark = columns > 3 ? "…" : "";
  const room = Math.max(0, columns - widthOf(mark));
  let [clipped, width] = ["", 0];
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > room) {
      break;
    }
    clipped += segment;
  }
  return clipped + mark;
}

/** A text cut or filled up with spaces to that width. */
export function fit(text: string, columns: number): string {
  const clipped = clip(text, columns);
  return clipped + " ".repeat(Math.max(0, columns - widthOf(clipped)));
}

/** A line cut to that width. */
export function clipLine({ spans, ...rest }: Line, columns: number): Line {
  let room = columns;
  const shown = spans.flatMap(({ text, tone }) => {
    const clipped = clip(text, room);
    room -= widthOf(clipped);
    return clipped === "" ? [] : [{ text: clipped, tone }];
  });
  return { ...rest, spans: shown };
}

/** A text in lines of at most that width, broken at spaces where possible. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== "") {
      lines.push(line);
    }
    const pieces = pieceWise(word, columns);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? "";
  }
  return [...lines, line];
}

/** A word in pieces that fit. */
function pieceWise(word: string, columns: number): readonly string[] {
  const pieces = [""];
  for (const { segment } of graphemes.segment(word)) {
    const last = pieces.at(-1) ?? "";
    if (last !== "" && widthOf(last + segment) > columns) {
      pieces.push(segment);
    } else {
      pieces[pieces.length - 1] = last + segment;
    }
  }
  return pieces;
}
