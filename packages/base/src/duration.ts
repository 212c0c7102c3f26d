/** A text isn't a valid duration; the message is Go's. */
export class DurationError extends Error {
  override readonly name = "DurationError";
  readonly input: string;

  constructor(input: string, message: string) {
    super(message);
    this.input = input;
  }
}

const nanosecondsPerMillisecond = 1_000_000;
const longest = 2n ** 63n - 1n;

/** Units by name, in nanoseconds. Microseconds have two spellings: with U+00B5 and with the Greek letter. */
const units: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["\u00b5s", 1_000n],
  ["\u03bcs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

/**
 * Parses a duration as Go's time.ParseDuration does ("300ms", "-1.5h", "2h45m", "0"); the result is in
 * milliseconds. Throws DurationError.
 */
export function parseDuration(input: string): number {
  const unsigned = input.replace(/^[-+]/, "");
  if (unsigned === "0") {
    return 0;
  }
  if (unsigned === "") {
    throw invalid(input);
  }
  const nanoseconds = sumOfParts(unsigned, input);
  const sign = input.startsWith("-") ? -1 : 1;
  return (sign * Number(nanoseconds)) / nanosecondsPerMillisecond;
}

/** Prints a duration in milliseconds as Go's Duration.String does: "5m0s", "1h5m0.5s", "300ms", "0s". */
export function printDuration(milliseconds: number): string {
  const sign = milliseconds < 0 ? "-" : "";
  return sign + printNanoseconds(BigInt(Math.round(Math.abs(milliseconds) * nanosecondsPerMillisecond)));
}

const part = /^([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/;

function sumOfParts(text: string, input: string): bigint {
  let sum = 0n;
  for (let rest = text; rest !== ""; ) {
    const [whole = "", integer = "", fraction = "", unit = ""] = part.exec(rest) ?? [];
    if (integer === "" && fraction === "") {
      throw invalid(input);
    }
    sum += nanosecondsOf(integer, fraction, unit, input);
    rest = rest.slice(whole.length);
  }
  if (sum > longest) {
    throw invalid(input);
  }
  return sum;
}

function nanosecondsOf(integer: string, fraction: string, unit: string, input: string): bigint {
  if (unit === "") {
    throw new DurationError(input, `time: missing unit in duration ${quote(input)}`);
  }
  const size = units.get(unit);
  if (size === undefined) {
    throw new DurationError(input, `time: unknown unit ${quote(unit)} in duration ${quote(input)}`);
  }
  return BigInt(integer) * size + (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
}

function printNanoseconds(nanoseconds: bigint): string {
  if (nanoseconds === 0n) {
    return "0s";
  }
  for (const [unit, digits] of [
    ["ns", 0],
    ["\u00b5s", 3],
    ["ms", 6],
  ] as const) {
    if (nanoseconds < 10n ** BigInt(digits + 3)) {
      return printFraction(nanoseconds, digits) + unit;
    }
  }
  const minutes = nanoseconds / 60_000_000_000n;
  const seconds = `${printFraction(nanoseconds % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) {
    return seconds;
  }
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** A number whose last `digits` digits are a fraction, without trailing zeros. */
function printFraction(value: bigint, digits: number): string {
  const text = value.toString().padStart(digits + 1, "0");
  const fraction = text.slice(text.length - digits).replace(/0+$/, "");
  const integer = text.slice(0, text.length - digits);
  return digits === 0 || fraction === "" ? integer : `${integer}.${fraction}`;
}

function invalid(input: string): DurationError {
  return new DurationError(input, `time: invalid duration ${quote(input)}`);
}

/** Quotes as Go's time package does, which writes every byte beyond ASCII as \xNN. */
function quote(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return `"${bytes.map(quoteByte).join("")}"`;
}

function quoteByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (byte >= 0x80 || byte < 0x20) {
    return `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return character === '"' || character === "\\" ? `\\${character}` : character;
}
