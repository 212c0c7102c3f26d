import { code, isBlankOrEnd, isBreak, isFlowIndicator, isLowSurrogate } from "../characters.ts";
import type { LayoutNode } from "./layout.ts";
import { isStandardTag, resolvePlain, tags } from "./resolve.ts";
import type { ScalarStyle } from "./token.ts";

/** Features of a text that some styles can't represent, as bits. */
export type Traits = number;

/** The text is empty. */
const empty = 1;
/** It contains something that would be read as an indicator, in a block or in a flow collection. */
const blockIndicator = 2;
const flowIndicator = 4;
const breaks = 8;
/** A space before or after a line break. */
const breakBySpace = 16;
/** It contains a character that must be escaped. */
const special = 32;
/** It starts or ends with a space. */
const outerSpace = 64;
/** It contains characters beyond U+FFFF. */
const widePairs = 128;

const keepsFromPlain = breaks | special | outerSpace;

/** The place of a scalar. */
export interface ScalarPlace {
  readonly inFlow: boolean;
  /** True for a key without `?`. */
  readonly simpleKey: boolean;
  readonly version11: boolean;
}

/**
 * The style for writing a scalar: its own, if the place allows that. A plain scalar must read back unchanged; a string
 * that wouldn't is put in single quotes, or in double quotes if it contains a `'` or a line break.
 */
export function chooseStyle(node: LayoutNode, traits: Traits, place: ScalarPlace): ScalarStyle {
  const { style } = node;
  if (style === '"') {
    return '"';
  }
  if ((style === "" || style === "?") && mayBePlain(node, traits, place)) {
    return "";
  }
  if ((style === "|" || style === ">") && !place.inFlow && !place.simpleKey) {
    return style;
  }
  if (style === "" && /['\n]/.test(node.text)) {
    return '"';
  }
  const hinders = special | breakBySpace | (place.simpleKey ? breaks : 0);
  return (style === "" || style === "'") && (traits & hinders) === 0 ? "'" : '"';
}

/** True if the tag must be written, because the text in this style would be read as something else. */
export function needsTag({ tag }: LayoutNode, style: ScalarStyle): boolean {
  return style === "" ? !isStandardTag(tag) : tag !== tags.string;
}

/** True if a key with this text needs no `?`, provided that it's short. */
export function fitsOnLine(traits: Traits): boolean {
  return (traits & (empty | breaks)) === 0;
}

/** True if the text contains characters beyond U+FFFF. */
export function hasWideCharacters(traits: Traits): boolean {
  return (traits & widePairs) !== 0;
}

function mayBePlain(node: LayoutNode, traits: Traits, place: ScalarPlace): boolean {
  const hinders =
    keepsFromPlain | (place.inFlow ? flowIndicator | empty : blockIndicator) | (place.simpleKey ? empty : 0);
  return (
    (traits & hinders) === 0 &&
    (!isStandardTag(node.tag) || resolvePlain(node.text, place.version11) === node.tag)
  );
}

/** Checks every character of a text for what plain and single-quoted scalars can't represent. */
export function traitsOf(text: string): Traits {
  if (text === "") {
    return empty;
  }
  let traits = leadingTraits(text) | (text.endsWith(" ") ? outerSpace : 0);
  let previous: number = code.end;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (char >= harmless.length || harmless[char] === 0) {
      traits |= charTraits(text, index, char, previous);
    }
    previous = char;
  }
  return traits;
}

/** 1 for each ASCII character that's allowed everywhere except at the start. */
const harmless = Uint8Array.from({ length: 0x7f }, (_, char) =>
  char > code.space && !isFlowIndicator(char) && char !== code.colon && char !== code.hash ? 1 : 0,
);

/** The first character may be one that can't start a plain scalar, or not before white space. */
function leadingTraits(text: string): Traits {
  const first = text.charCodeAt(0);
  if (harmless[first] === 1 && !leadingIndicators.has(first)) {
    return text.startsWith("...") ? blockIndicator | flowIndicator : 0;
  }
  const alone = text.length === 1;
  const beforeBlank = alone || isBlankOrEnd(text.charCodeAt(1));
  switch (first) {
    case code.space:
      return outerSpace;
    case code.question:
    case code.colon:
      return (alone ? flowIndicator : 0) | (beforeBlank ? blockIndicator : 0);
    case code.dash:
      return beforeBlank || text.startsWith("---") ? blockIndicator | flowIndicator : 0;
    default:
      return leadingIndicators.has(first) ? blockIndicator | flowIndicator : 0;
  }
}

const leadingIndicators: ReadonlySet<number> = new Set(
  Array.from("-?:#,[]{}&*!|>'\"%@`", (char) => char.charCodeAt(0)),
);

function charTraits(text: string, index: number, char: number, previous: number): Traits {
  switch (char) {
    case code.space:
      return index > 0 && isValueBreak(previous) ? breakBySpace : 0;
    case code.colon:
      return index > 0 && isBlankOrEndAt(text, index + 1) ? blockIndicator | flowIndicator : 0;
    case code.hash:
      return index > 0 && isBlankOrEnd(previous) ? blockIndicator | flowIndicator : 0;
    default:
      return isFlowIndicator(char) ? flowIndicator : unusualTraits(text, index, char, previous);
  }
}

function isBlankOrEndAt(text: string, index: number): boolean {
  return index >= text.length || isBlankOrEnd(text.charCodeAt(index));
}

function unusualTraits(text: string, index: number, char: number, previous: number): Traits {
  if (isValueBreak(char)) {
    return breaks | (previous === code.space ? breakBySpace : 0);
  }
  if (char >= 0xd800 && char <= 0xdfff) {
    return surrogateTraits(char, previous, text.charCodeAt(index + 1));
  }
  return char >= 0xa0 && char <= 0xfffd && char !== code.byteOrderMark ? 0 : special;
}

function surrogateTraits(char: number, previous: number, next: number): Traits {
  const isPaired = isLowSurrogate(char) ? isHighSurrogate(previous) : isLowSurrogate(next);
  return widePairs | (isPaired ? 0 : special);
}

/** In a value, a CR isn't a line break but a special character. */
function isValueBreak(char: number): boolean {
  return isBreak(char) && char !== code.carriageReturn;
}

function isHighSurrogate(char: number): boolean {
  return char >= 0xd800 && char <= 0xdbff;
}
