import { LayoutNode } from "./layout.ts";
import { Output } from "./output.ts";
import { chooseStyle, hasWideCharacters, type ScalarPlace, traitsOf } from "./scalar-style.ts";
import type { ScalarStyle } from "./token.ts";
import { writeDoubleQuoted, writePlain, writeSingleQuoted } from "./write-scalar.ts";

/** A string, and how to write it. */
export interface StringScalar {
  readonly text: string;
  readonly style: ScalarStyle;
  readonly tag: string;
}

/**
 * Prints a string on one line, plain or in quotes: in the given style if possible, or else with as few quotes as
 * possible.
 */
export function printString({ text, style, tag }: StringScalar, place: ScalarPlace): string {
  const node = new LayoutNode("scalar", tag);
  node.text = text;
  node.style = style === "|" || style === ">" ? "" : style;
  const traits = traitsOf(text);
  const out = new Output(Number.POSITIVE_INFINITY);
  out.wide = hasWideCharacters(traits);
  const chosen = chooseStyle(node, traits, place);
  if (chosen === "") {
    writePlain(out, text, false);
  } else if (chosen === "'" && !/[\n\x85\u2028\u2029]/.test(text)) {
    writeSingleQuoted(out, text, false);
  } else {
    writeDoubleQuoted(out, text, { fold: false, splitPairs: false });
  }
  return out.text;
}
