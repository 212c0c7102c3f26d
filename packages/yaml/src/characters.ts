/** The character codes that the scanner and the emitter refer to by name. */
export const code = {
  end: 0,
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  exclamation: 0x21,
  doubleQuote: 0x22,
  hash: 0x23,
  percent: 0x25,
  ampersand: 0x26,
  singleQuote: 0x27,
  asterisk: 0x2a,
  plus: 0x2b,
  comma: 0x2c,
  dash: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  less: 0x3c,
  greater: 0x3e,
  question: 0x3f,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  pipe: 0x7c,
  closeBrace: 0x7d,
  nextLine: 0x85,
  lineSeparator: 0x2028,
  paragraphSeparator: 0x2029,
  byteOrderMark: 0xfeff,
} as const;

/** A character that ends a line, in any of the ways that YAML 1.1 allows. */
export function isBreak(char: number): boolean {
  return char === 0x0a || char === 0x0d || char === 0x85 || char === 0x2028 || char === 0x2029;
}

/** A line break, or the end of the stream. */
export function isBreakOrEnd(char: number): boolean {
  return char === 0 || isBreak(char);
}

/** White space of any kind, or the end of the stream, one of which must follow an indicator. */
export function isBlankOrEnd(char: number): boolean {
  return char === 0x20 || char === 0x09 || isBreakOrEnd(char);
}

/** A space, a line break, or the end, one of which must follow a tag or a directive. */
export function isSpaceBreakOrEnd(char: number): boolean {
  return char === 0x20 || isBreakOrEnd(char);
}

/** `,`, `[`, `]`, `{` or `}`. */
export function isFlowIndicator(char: number): boolean {
  return char === 0x2c || char === 0x5b || char === 0x5d || char === 0x7b || char === 0x7d;
}

/** `0` to `9`. */
export function isDigit(char: number): boolean {
  return char >= code.zero && char <= code.nine;
}

/** `0` to `9`, `a` to `f`, `A` to `F`. */
export function isHexDigit(char: number): boolean {
  return isDigit(char) || (char >= 0x41 && char <= 0x46) || (char >= 0x61 && char <= 0x66);
}

/** An ASCII letter, a digit, `-` or `_`. */
export function isWordChar(char: number): boolean {
  return (
    isDigit(char) ||
    (char >= 0x41 && char <= 0x5a) ||
    (char >= 0x61 && char <= 0x7a) ||
    char === 0x2d ||
    char === 0x5f
  );
}

/** The characters in the name of an anchor: anything visible except the flow indicators. */
export function isAnchorChar(char: number): boolean {
  if (char < 0x80) {
    return char > 0x20 && char < 0x7f && !isFlowIndicator(char);
  }
  return char >= 0xa0 && char <= 0xfffd && char !== code.byteOrderMark;
}

/** The second half of a surrogate pair. */
export function isLowSurrogate(char: number): boolean {
  return char >= 0xdc00 && char <= 0xdfff;
}

/** The number of characters in the text, where one beyond U+FFFF counts once. */
export function widthOf(text: string): number {
  let width = text.length;
  for (let index = 0; index < text.length; index += 1) {
    if (isLowSurrogate(text.charCodeAt(index))) {
      width -= 1;
    }
  }
  return width;
}

/** The escapes in double quotes that both libraries know: the part after the `\`, and its meaning. */
export const commonEscapes: readonly (readonly [string, string])[] = [
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["\t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\x1b"],
  [" ", " "],
  ['"', '"'],
  ["\\", "\\"],
  ["N", "\x85"],
  ["_", "\xa0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
];
