/** Numbers as text. */

/**
 * The number that a text is, as in a script: decimal or hexadecimal, with spaces around it; undefined if it's
 * none. Takes linear time.
 */
export function parseNumber(text: string): number | undefined {
  const match =
    /^[ \t-\r]*([-+]?)(0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[ \t-\r]*$/.exec(text);
  return match?.[2] === undefined ? undefined : (match[1] === "-" ? -1 : 1) * Number(match[2]);
}

/** A whole number in another base, from 2 to 36. */
export function parseInBase(text: string, base: number): number | undefined {
  const digits = /^[ \t-\r]*(-?)([0-9a-z]+)[ \t-\r]*$/i.exec(text);
  const values = Array.from(digits?.[2] ?? "", (digit) => Number.parseInt(digit, 36));
  if (values.length === 0 || values.some((value) => value >= base)) {
    return undefined;
  }
  return (digits?.[1] === "-" ? -1 : 1) * values.reduce((number, value) => number * base + value, 0);
}

const longest = 2 ** 63;

/** A number as tostring shows it, with as few digits as tell it from others, as in Go. */
export function printNumber(number: number): string {
  if (Number.isNaN(number)) {
    return "NaN";
  }
  if (!Number.isFinite(number)) {
    return number > 0 ? "+Inf" : "-Inf";
  }
  if (Number.isInteger(number) && Math.abs(number) < longest) {
    return BigInt(number).toString();
  }
  const size = Math.abs(number);
  const text = size < 1e-4 || size >= 1e21 ? number.toExponential() : String(number);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}
