import { parseQuantity } from "@weir/kube";

const binary = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const unit = 1_000_000_000n;
const most = (2n ** 63n - 1n) * unit;

/**
 * An amount in the one form in which the API server keeps it: "0.5" is "500m", "1024Mi" is "1Gi", "1000" is
 * "1k". Undefined where the text is no amount.
 */
export function canonicalQuantity(text: string): string | undefined {
  const parsed = parseQuantity(text);
  if (parsed === undefined) {
    return undefined;
  }
  const amount = clamp(parsed < 0n ? -parsed : parsed);
  return amount === 0n ? "0" : `${parsed < 0n ? "-" : ""}${print(amount, text)}`;
}

/** In the family of suffixes in which it was written. */
function print(amount: bigint, text: string): string {
  const isBinary = text.endsWith("i") && amount % unit === 0n && amount / unit >= 1024n;
  if (isBinary) {
    return withLargest(amount / unit, 1024n, binary);
  }
  return /[eE][+-]?\d+$/.test(text) ? withExponent(amount) : withLargest(amount, 1000n, decimal);
}

function clamp(amount: bigint): bigint {
  return amount > most ? most : amount;
}

function withLargest(amount: bigint, base: bigint, suffixes: readonly string[]): string {
  let rest = amount;
  let index = 0;
  while (rest % base === 0n && index < suffixes.length - 1) {
    rest /= base;
    index++;
  }
  return `${rest}${suffixes[index] ?? ""}`;
}

function withExponent(amount: bigint): string {
  let rest = amount;
  let exponent = -9;
  while (rest % 1000n === 0n) {
    rest /= 1000n;
    exponent += 3;
  }
  return exponent === 0 ? String(rest) : `${rest}e${exponent}`;
}
