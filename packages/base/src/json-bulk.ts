/** Limits for the structure of a JSON text. */
export interface JsonBulk {
  /** How deep objects and lists can be nested. */
  readonly depth: number;
  /** The number of values, including the keys of objects. */
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
 * Which limit a text exceeds; undefined if it's within the limits. Looks only at brackets, commas, colons, and quotes,
 * because parsing takes many times as long and as much memory. Leaves it to the parser to detect invalid JSON.
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

/** The position of the quote that ends the string, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) {
    at += bytes[at] === backslash ? 2 : 1;
  }
  return at;
}
