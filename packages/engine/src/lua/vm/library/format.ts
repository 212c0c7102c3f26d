import { errorAt, toText } from "../operations.ts";
import type { Arguments } from "./arguments.ts";

/** A conversion in a format, such as %5.2f. */
interface Conversion {
  readonly flags: string;
  readonly width: number;
  /** Undefined without a dot. */
  readonly precision: number | undefined;
  readonly letter: string;
}

/** string.format: the format is the first argument. */
export function format(args: Arguments): string {
  const text = args.text(0);
  const { budget } = args.run;
  let next = 1;
  budget.step(text.length);
  budget.allocate(text.length);
  return text.replace(/%(?:%|([-+ #0]*)(\d*)(?:\.(\d*))?([^]?))/g, (whole, ...found: unknown[]) => {
    if (whole === "%%") {
      return "%";
    }
    const printed = convert(conversionOf(found, args), args, next);
    next += 1;
    budget.allocate(printed.length);
    return printed;
  });
}

function conversionOf(found: readonly unknown[], args: Arguments): Conversion {
  const [flags, width, precision, letter] = found.map((each) =>
    typeof each === "string" ? each : undefined,
  );
  if ((width ?? "").length > 2 || (precision ?? "").length > 2) {
    throw errorAt(args.run, "invalid format (width or precision too long)");
  }
  return {
    flags: flags ?? "",
    width: Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    letter: letter ?? "",
  };
}

function convert(conversion: Conversion, args: Arguments, at: number): string {
  const { letter, precision } = conversion;
  switch (letter) {
    case "s": {
      const text = toText(args.any(at), args.run);
      return pad(precision === undefined ? text : text.slice(0, precision), {
        ...conversion,
        flags: withoutZeros(conversion.flags),
      });
    }
    case "q":
      return quote(args.text(at));
    case "c":
      return pad(String.fromCharCode(args.integer(at) & 255), conversion);
    case "d":
    case "i":
      return signed(wholeDigits(args.integer(at), 10, precision), args.integer(at) < 0, conversion);
    case "u":
    case "o":
    case "x":
    case "X":
      return unsigned(args.integer(at), conversion);
    case "e":
    case "E":
    case "f":
    case "g":
    case "G":
      return real(args.number(at), conversion);
    default:
      throw errorAt(args.run, `invalid option '%${letter}' to 'format'`);
  }
}

function wholeDigits(number: number, base: number, precision: number | undefined): string {
  return BigInt(Math.abs(number))
    .toString(base)
    .padStart(precision ?? 1, "0");
}

function unsigned(number: number, conversion: Conversion): string {
  const { letter, precision, flags } = conversion;
  const base = letter === "o" ? 8 : letter === "u" ? 10 : 16;
  const bits = BigInt.asUintN(64, BigInt(number));
  const digits = bits.toString(base).padStart(precision ?? 1, "0");
  const text = flags.includes("#") && base === 16 ? `0x${digits}` : digits;
  return pad(letter === "X" ? text.toUpperCase() : text, conversion);
}

function real(number: number, conversion: Conversion): string {
  const { letter, precision = 6 } = conversion;
  const size = Math.abs(number);
  const isNegative = number < 0 || Object.is(number, -0);
  const text = Number.isFinite(size) ? digitsOf(size, letter.toLowerCase(), precision) : infinite(size);
  const flags = Number.isFinite(size) ? conversion.flags : withoutZeros(conversion.flags);
  const isUpper = letter === "E" || letter === "G";
  return signed(isUpper ? text.toUpperCase() : text, isNegative, { ...conversion, flags });
}

function infinite(size: number): string {
  return Number.isNaN(size) ? "nan" : "inf";
}

/** Only digits are padded with zeros. */
function withoutZeros(flags: string): string {
  return flags.replaceAll("0", "");
}

function digitsOf(size: number, letter: string, precision: number): string {
  switch (letter) {
    case "f":
      return size < 1e21
        ? size.toFixed(precision)
        : `${BigInt(size)}${precision > 0 ? `.${"0".repeat(precision)}` : ""}`;
    case "e":
      return twoDigitExponent(size.toExponential(precision));
    default: {
      const significant = Math.max(1, precision);
      const exponent = Number(size.toExponential(significant - 1).split("e")[1]);
      const isShort = exponent >= -4 && exponent < significant;
      const text = isShort
        ? size.toFixed(Math.min(100, significant - 1 - exponent))
        : size.toExponential(significant - 1);
      return twoDigitExponent(text.replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, ""));
    }
  }
}

function twoDigitExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

function signed(digits: string, isNegative: boolean, conversion: Conversion): string {
  const { flags, width } = conversion;
  const sign = isNegative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  return flags.includes("0") && !flags.includes("-")
    ? sign + digits.padStart(width - sign.length, "0")
    : pad(sign + digits, conversion);
}

function pad(text: string, { flags, width }: Conversion): string {
  return flags.includes("-") ? text.padEnd(width) : text.padStart(width, flags.includes("0") ? "0" : " ");
}

function quote(text: string): string {
  const escaped = text
    .replace(/["\\\n]/g, "\\$&")
    .replaceAll("\r", "\\r")
    .replaceAll("\0", "\\000");
  return `"${escaped}"`;
}
