/** How much structure a JSON text may have. */
export interface JsonBulk {
  /** Objects and lists in one another. */
  readonly depth: number;
  /** Values, keys of objects included. */
  readonly values: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * What a text has too much of, undefined for one within the bounds. Looks at brackets, commas, colons and quotes only:
 * parsing takes many times as long and as much memory. What is no JSON is for the parser to find out.
 */
export function excessOf(bytes: Uint8Array, { depth, values }: JsonBulk): keyof JsonBulk | undefined {
  let level = 0;
  let count = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at] ?? 0) {
      case quote:
        at = endOfString(bytes, at);
        break;
      case openBrace:
      case openBracket:
        level += 1;
        count += 1;
        break;
      case closeBrace:
      case closeBracket:
        level -= 1;
        break;
      case comma:
      case colon:
        count += 1;
        break;
    }
    if (level > depth) {
      return "depth";
    }
    if (count > values) {
      return "values";
    }
  }
  return undefined;
}

/** Where the quote stands that ends the string, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) {
    at += bytes[at] === backslash ? 2 : 1;
  }
  return at;
}
