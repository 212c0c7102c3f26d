import { toExponentialExact, toFixedExact, toShortest } from "./decimal.ts";
import { equalNumber, type NumberText } from "./integers.ts";

/** The original format of a number, which determines how it's written again. */
interface FloatShape {
  readonly value: number;
  readonly sign: "" | "+" | "-";
  /** The width of its mantissa, including the sign if there's no exponent. */
  readonly width: number;
  /** The position of its decimal point, including the sign; -1 without one. */
  readonly point: number;
  /** The exponent including its `e`. */
  readonly exponent: string | undefined;
  readonly source: string;
}

/**
 * A floating-point number as ruamel.yaml writes it back: with the same number of places, as far as a double has them.
 * Undefined if the text isn't such a number.
 */
export function normalizeFloat(source: string, version11: boolean): NumberText | undefined {
  const text = source.replaceAll("_", "").toLowerCase();
  const negative = text.startsWith("-");
  const bare = /^[-+]/.test(text) ? text.slice(1) : text;
  if (bare === ".inf" || bare === ".nan") {
    return plainFloat(bare === ".nan" ? Number.NaN : Number.POSITIVE_INFINITY, negative);
  }
  if (version11 && bare.includes(":")) {
    const parts = bare.split(":");
    return parts.every(isDecimal) ? plainFloat(parseSexagesimal(parts), negative) : undefined;
  }
  if (!isDecimal(bare)) {
    return undefined;
  }
  const shape = shapeOf(source, negative ? -Number(bare) : Number(bare));
  const printed = shape === undefined ? undefined : print(shape);
  return shape === undefined || printed === undefined
    ? undefined
    : { text: printed, equality: equalNumber(shape.value), keepsAnchor: true };
}

function isDecimal(text: string): boolean {
  return /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?$/.test(text);
}

function parseSexagesimal(parts: readonly string[]): number {
  return parts.reduce((value, digits) => value * 60 + Number(digits), 0);
}

function plainFloat(size: number, negative: boolean): NumberText {
  const value = negative ? -size : size;
  const text = Number.isFinite(value) ? toShortest(value) : printSpecial(value);
  return { text, equality: equalNumber(value), keepsAnchor: false };
}

function printSpecial(value: number): string {
  if (Number.isNaN(value)) {
    return ".nan";
  }
  return value > 0 ? ".inf" : "-.inf";
}

function shapeOf(source: string, value: number): FloatShape | undefined {
  const sign = signOf(source);
  const at = source.search(/e/i);
  if (at < 0) {
    const point = source.indexOf(".");
    return point < 0 ? undefined : { value, sign, width: source.length, point, exponent: undefined, source };
  }
  return {
    value,
    sign,
    width: at - sign.length,
    point: source.slice(0, at).indexOf("."),
    exponent: source.slice(at),
    source,
  };
}

function signOf(source: string): FloatShape["sign"] {
  const first = source.charAt(0);
  return first === "-" || first === "+" ? first : "";
}

function print(shape: FloatShape): string | undefined {
  if (!Number.isFinite(shape.value)) {
    return printSpecial(shape.value);
  }
  if (shape.exponent !== undefined) {
    return printWithExponent(shape, shape.exponent);
  }
  const { value, sign, width, point } = shape;
  if (point > 0 && point === width - 1) {
    return `${sign}${toFixedExact(Math.trunc(Math.abs(value)), 0)}.`;
  }
  const digits = toFixedExact(Math.abs(value), width - point - 1).padStart(width - sign.length, "0");
  const beginsWithPoint = point === 0 || (point === 1 && sign !== "");
  const text = sign + digits;
  return (beginsWithPoint ? text.replaceAll("0.", ".") : text).padEnd(width, "0");
}

/** The integer and fractional parts of a mantissa, and its power of ten. */
interface Scientific {
  readonly whole: string;
  readonly broken: string;
  readonly power: number;
}

/** The digits are computed again and then shifted to the original decimal point; the exponent is adjusted. */
function printWithExponent(shape: FloatShape, exponent: string): string | undefined {
  const normal = normalForm(shape);
  const moved = normal === undefined ? undefined : movePoint(normal, shape);
  if (moved === undefined) {
    return undefined;
  }
  const point = shape.point < 0 ? "" : ".";
  return `${moved.whole}${point}${moved.broken}${exponent.charAt(0)}${printPower(moved.power, exponent.slice(1))}`;
}

function normalForm({ value, sign, width, point }: FloatShape): Scientific | undefined {
  const { mantissa, exponent } = toExponentialExact(Math.abs(value), width + sign.length);
  const minus = value < 0 || Object.is(value, -0) ? "-" : "";
  const kept = (point > 0 ? width : width + 1) + (value < 0 ? 1 : 0);
  const [whole = "", broken] = (minus + mantissa).slice(0, kept).split(".");
  if (broken === undefined) {
    return undefined;
  }
  const places = width - (point >= 0 ? 1 : 0);
  const signed = sign !== "" && value > 0 ? `+${whole}` : whole;
  return { whole: signed, broken: broken.padEnd(places - whole.length, "0"), power: exponent };
}

function movePoint(normal: Scientific, { sign, width, point, source }: FloatShape): Scientific | undefined {
  if (point < 0) {
    return withoutPoint(normal, width + (sign === "" ? 0 : 1));
  }
  if (point === 0) {
    return { whole: normal.whole + normal.broken, broken: "", power: normal.power - normal.broken.length };
  }
  return shiftTo(shiftBehindZeros(normal, leadingZeros(source)), point);
}

function withoutPoint({ whole, broken, power }: Scientific, width: number): Scientific {
  const digits = whole + (broken === "0" ? "" : broken);
  const padded = digits.padEnd(width, "0");
  const padding = padded.length - digits.length;
  const moved = broken === "0" ? 0 : broken.length;
  return { whole: padded, broken: "", power: power - moved - padding };
}

function shiftBehindZeros(number: Scientific, zeros: number): Scientific {
  if (zeros === 0) {
    return number;
  }
  const digits = "0".repeat(zeros - 1) + number.whole + number.broken;
  return { whole: "0", broken: digits.slice(0, -zeros), power: number.power + zeros };
}

function shiftTo({ whole, broken, power }: Scientific, point: number): Scientific | undefined {
  const missing = Math.max(0, point - whole.length);
  return missing > broken.length
    ? undefined
    : { whole: whole + broken.slice(0, missing), broken: broken.slice(missing), power: power - missing };
}

function leadingZeros(mantissa: string): number {
  const zeros = /^[0.]*/.exec(mantissa)?.[0] ?? "";
  return zeros.replaceAll(".", "").length;
}

/** The original width, with a sign if there was one. */
function printPower(power: number, was: string): string {
  const plus = /^[-+]/.test(was) ? "+" : "";
  const sign = power < 0 ? "-" : plus;
  return (
    sign +
    Math.abs(power)
      .toString()
      .padStart(was.length - sign.length, "0")
  );
}
