/** The smallest share: one byte of the secret, and the share's x coordinate. */
const smallestShare = 2;

/** Shares don't belong together, or are too few. */
export class SharesError extends Error {
  override readonly name = "SharesError";
}

/**
 * Recovers a secret from shares of Shamir's Secret Sharing over GF(2⁸), as Vault and sops split it: each share ends with
 * its x coordinate. The result is wrong if there are fewer shares than the threshold. Throws SharesError if the shares
 * can't belong together.
 */
export function combineShares(shares: readonly Uint8Array[]): Uint8Array {
  const [first] = shares;
  if (first === undefined || shares.length < 2) {
    throw new SharesError("less than two parts cannot be used to reconstruct the secret");
  }
  if (first.length < smallestShare || shares.some(({ length }) => length !== first.length)) {
    throw new SharesError("all parts must be the same length, and at least two bytes long");
  }
  const xs = shares.map((share) => share.at(-1) ?? 0);
  if (new Set(xs).size !== xs.length || xs.includes(0)) {
    throw new SharesError("duplicate part detected");
  }
  const weights = xs.map((x, index) => weightOf(x, xs.toSpliced(index, 1)));
  return Uint8Array.from({ length: first.length - 1 }, (_, at) =>
    shares.reduce((sum, share, index) => sum ^ multiply(share[at] ?? 0, weights[index] ?? 0), 0),
  );
}

/** The value at 0 of the polynomial that is 1 at `x` and 0 at all others. */
function weightOf(x: number, others: readonly number[]): number {
  return others.reduce((product, other) => multiply(product, multiply(other, inverse(x ^ other))), 1);
}

/** Multiplies in GF(2⁸) with the polynomial of AES. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = ((product << 1) & 0xff) ^ (product & 0x80 ? 0x1b : 0) ^ ((b >> bit) & 1 ? a : 0);
  }
  return product;
}

/** The 254th power: in a field of 256 elements, that's the inverse. */
function inverse(a: number): number {
  let power = 1;
  for (let count = 0; count < 254; count += 1) {
    power = multiply(power, a);
  }
  return power;
}
