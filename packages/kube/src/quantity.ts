import type { JsonValue } from "@weir/base";

/** Sign, integer digits, decimals, and a suffix for a power of ten or two or a decimal exponent. */
const quantity =
  /^(?<sign>[+-]?)(?<whole>[0-9]*)(\.(?<decimals>[0-9]*))?((?<suffix>[numkMGTPE]|[KMGTPE]i)|[eE](?<exponent>[+-]?[0-9]{1,3}))?$/;

/** Powers of ten, and of two ("i"), by suffix. */
const powers: Readonly<Record<string, readonly [base: 2n | 10n, exponent: number]>> = {
  n: [10n, -9],
  u: [10n, -6],
  m: [10n, -3],
  k: [10n, 3],
  M: [10n, 6],
  G: [10n, 9],
  T: [10n, 12],
  P: [10n, 15],
  E: [10n, 18],
  Ki: [2n, 10],
  Mi: [2n, 20],
  Gi: [2n, 30],
  Ti: [2n, 40],
  Pi: [2n, 50],
  Ei: [2n, 60],
};

/** No reasonable quantity is longer; computing with millions of digits would waste time. */
const maxLength = 64;

/**
 * A quantity in billionths: the API's notation "100m", "1.5Gi", or "1e3". Smaller fractions are rounded up,
 * as in the API. Undefined if the text isn't a quantity.
 */
export function parseQuantity(text: string): bigint | undefined {
  const parts = text.length > maxLength ? undefined : quantity.exec(text)?.groups;
  const { sign, whole = "", decimals = "", suffix, exponent } = parts ?? {};
  if (whole === "" && decimals === "") {
    return undefined;
  }
  const [base, power] = (suffix === undefined ? undefined : powers[suffix]) ?? [10n, Number(exponent ?? 0)];
  const amount = scale(BigInt(whole + decimals), base, power, decimals.length - 9);
  return sign === "-" ? -amount : amount;
}

/** True if both values are the same quantity: "1", "1000m", and the number 1, or "1Gi" and "1024Mi". */
export function equalQuantities(a: JsonValue, b: JsonValue): boolean {
  if (a === b) {
    return true;
  }
  const amount = amountOf(a);
  return amount !== undefined && amount === amountOf(b);
}

function amountOf(value: JsonValue): bigint | undefined {
  return typeof value === "string" || typeof value === "number" ? parseQuantity(String(value)) : undefined;
}

/** digits × base^power ÷ 10^shift, rounded away from zero. */
function scale(digits: bigint, base: 2n | 10n, power: number, shift: number): bigint {
  const up = (power > 0 ? base ** BigInt(power) : 1n) * (shift < 0 ? 10n ** BigInt(-shift) : 1n);
  const down = (power < 0 ? base ** BigInt(-power) : 1n) * (shift > 0 ? 10n ** BigInt(shift) : 1n);
  return (digits * up + down - 1n) / down;
}
