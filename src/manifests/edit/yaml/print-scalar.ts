import { LayoutNode } from "./layout.ts";
import { Output } from "./output.ts";
import { chooseStyle, hasWideCharacters, type ScalarPlace, traitsOf } from "./scalar-style.ts";
import type { ScalarStyle } from "./token.ts";
import { writeDoubleQuoted, writePlain, writeSingleQuoted } from "./write-scalar.ts";

/**
 * A string as it is written on one line, plain or in quotes: in the style asked for where it can be, else as
 * little quoted as it may.
 */
export function printString(text: string, style: ScalarStyle, tag: string, place: ScalarPlace): string {
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
    writeDoubleQuoted(out, text, false, false);
  }
  return out.text;
}
