/** A number as it will be written, and its identity for comparing it with other keys. */
export interface NumberText {
  readonly text: string;
  readonly equality: string;
  /** True if its anchor is kept. */
  readonly keepsAnchor: boolean;
}

/** Longer numbers aren't converted, because the time for that grows with the square of the length. */
const longestConverted = 5000;

/**
 * The positions of underscores between digits: in groups of this size from the right, before the first digit, and after
 * the last.
 */
interface Underscores {
  readonly group: number;
  readonly leading: boolean;
  readonly trailing: boolean;
}

/**
 * An integer as ruamel.yaml writes it back: leading zeros, radix, and underscores stay, a `+` is removed. In YAML 1.1,
 * octal and sexagesimal numbers become decimal. Undefined if the text isn't an integer.
 */
export function normalizeInteger(source: string, version11: boolean): NumberText | undefined {
  const text = source.replaceAll("_", "").trim();
  const negative = text.startsWith("-");
  const digits = /^[-+]/.test(text) ? text.slice(1) : text;
  if (digits === "0") {
    return { text: "0", equality: equalNumber(0n), keepsAnchor: false };
  }
  const radix = radixes.get(digits.slice(0, 2));
  if (radix !== undefined) {
    return prefixed(source, digits, negative, radix, version11);
  }
  if (version11 && (digits.startsWith("0") || digits.includes(":"))) {
    return convertedFrom11(digits, negative);
  }
  return /^[0-9]+$/.test(digits) ? decimal(source, digits, negative) : undefined;
}

interface Radix {
  readonly prefix: string;
  readonly digits: RegExp;
}

const radixes: ReadonlyMap<string, Radix> = new Map([
  ["0b", { prefix: "0b", digits: /^[01]+$/ }],
  ["0o", { prefix: "0o", digits: /^[0-7]+$/ }],
  ["0x", { prefix: "0x", digits: /^[0-9a-fA-F]+$/ }],
]);

function prefixed(
  source: string,
  text: string,
  negative: boolean,
  radix: Radix,
  version11: boolean,
): NumberText | undefined {
  const digits = text.slice(2);
  if (!radix.digits.test(digits)) {
    return undefined;
  }
  const cased = /^[0-9]*[A-F]/.test(digits) ? digits.toUpperCase() : digits.toLowerCase();
  const width = !version11 && digits.startsWith("0") ? digits.length : 0;
  const body = pad(cased, negative, width);
  const after = source.slice(2);
  const underscores = underscoresOf(source, {
    leading: after.startsWith("_"),
    trailing: after.length > 1 && after.endsWith("_"),
  });
  return {
    text: radix.prefix + part(body, underscores),
    equality: equalPrefixed(radix.prefix, digits, negative),
    keepsAnchor: true,
  };
}

function equalPrefixed(prefix: string, digits: string, negative: boolean): string {
  if (digits.length > longestConverted) {
    return `${negative ? "-" : ""}${prefix}${stripZeros(digits).toLowerCase()}`;
  }
  const value = BigInt(prefix + digits);
  return equalNumber(negative ? -value : value);
}

function convertedFrom11(digits: string, negative: boolean): NumberText | undefined {
  const value = digits.length > longestConverted ? undefined : parse11(digits);
  if (value === undefined) {
    return undefined;
  }
  const signed = negative ? -value : value;
  return { text: signed.toString(), equality: equalNumber(signed), keepsAnchor: false };
}

function parse11(digits: string): bigint | undefined {
  if (digits.startsWith("0")) {
    return /^[0-7]+$/.test(digits) ? BigInt(`0o${digits}`) : undefined;
  }
  const parts = digits.split(":");
  return parts.every((part) => /^[0-9]+$/.test(part))
    ? parts.reduce((value, part) => value * 60n + BigInt(part), 0n)
    : undefined;
}

function decimal(source: string, digits: string, negative: boolean): NumberText {
  const zeros = digits.startsWith("0");
  const body = pad(digits, negative, zeros ? digits.length : 0);
  const trailing = source.length > 1 && source.endsWith("_");
  const sign = negative && !/^0*$/.test(digits) ? "-" : "";
  return {
    text: part(body, underscoresOf(source, { leading: false, trailing })),
    equality: sign + stripZeros(digits),
    keepsAnchor: !zeros,
  };
}

/** The identity of a number, the same for all of its spellings. */
export function equalNumber(value: bigint | number): string {
  if (typeof value === "number" && Number.isInteger(value)) {
    return equalNumber(BigInt(value));
  }
  return value.toString();
}

function stripZeros(digits: string): string {
  return digits.replace(/^0+(?=.)/, "");
}

/** The sign counts toward the width; a zero has none. */
function pad(digits: string, negative: boolean, width: number): string {
  const bare = stripZeros(digits);
  const sign = negative && bare !== "0" ? "-" : "";
  return sign + bare.padStart(width - sign.length, "0");
}

function underscoresOf(
  source: string,
  ends: Pick<Underscores, "leading" | "trailing">,
): Underscores | undefined {
  let end = source.length;
  while (source.endsWith("_", end)) {
    end -= 1;
  }
  const last = source.slice(0, end).lastIndexOf("_");
  return last < 0 ? undefined : { group: end - last - 1, ...ends };
}

function part(digits: string, underscores: Underscores | undefined): string {
  if (underscores === undefined) {
    return digits;
  }
  const { group } = underscores;
  const groups: string[] = [];
  for (let end = digits.length % group || group; end - group < digits.length; end += group) {
    groups.push(digits.slice(Math.max(0, end - group), end));
  }
  return `${underscores.leading ? "_" : ""}${groups.join("_")}${underscores.trailing ? "_" : ""}`;
}
