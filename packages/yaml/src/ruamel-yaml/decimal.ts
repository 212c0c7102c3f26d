/** The exact decimal value of a double; the shortest digits that read back as the same number aren't enough here. */
interface Decimal {
  /** The number is `digits` × 10^-`scale`. */
  readonly digits: bigint;
  readonly scale: number;
}

/** Prints a finite number ≥ 0 with this many decimal places, rounded half to even, like C's `%.*f`. */
export function toFixedExact(value: number, places: number): string {
  const { digits, scale } = exactly(value);
  const kept = scale > places ? dropDigits(digits, scale - places) : digits;
  const text = (kept.toString() + "0".repeat(Math.max(0, places - scale))).padStart(places + 1, "0");
  const point = text.length - places;
  return places === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
}

/** Prints a finite number ≥ 0 as `d.ddd` and a power of ten, like C's `%.*e`. */
export function toExponentialExact(
  value: number,
  places: number,
): { readonly mantissa: string; readonly exponent: number } {
  const { digits, scale } = exactly(value);
  const all = digits.toString();
  const surplus = all.length - places - 1;
  const kept = surplus > 0 ? dropDigits(digits, surplus).toString() : all;
  const carried = surplus > 0 ? kept.length - (places + 1) : 0;
  const text = kept.slice(0, places + 1).padEnd(places + 1, "0");
  return {
    mantissa: `${text.slice(0, 1)}.${text.slice(1)}`,
    exponent: digits === 0n ? 0 : all.length - 1 - scale + carried,
  };
}

/** Prints a number like Python. */
export function toShortest(value: number): string {
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 16) {
    const plain = toPlain(mantissa.replace("-", "").replace(".", ""), exponent);
    return value < 0 ? `-${plain}` : plain;
  }
  const size = Math.abs(exponent).toString().padStart(2, "0");
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${size}`;
}

function toPlain(digits: string, exponent: number): string {
  if (exponent < 0) {
    return `0.${"0".repeat(-exponent - 1)}${digits}`;
  }
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${whole}.${digits.slice(exponent + 1) || "0"}`;
}

function exactly(value: number): Decimal {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const biased = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  const power = Math.max(biased, 1) - 1075;
  if (power >= 0) {
    return { digits: mantissa << BigInt(power), scale: 0 };
  }
  return { digits: mantissa * 5n ** BigInt(-power), scale: -power };
}

function dropDigits(digits: bigint, count: number): bigint {
  const unit = 10n ** BigInt(count);
  const kept = digits / unit;
  const twice = (digits % unit) * 2n;
  const up = twice > unit || (twice === unit && kept % 2n === 1n);
  return up ? kept + 1n : kept;
}
