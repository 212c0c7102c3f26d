import type { PublicKeyPacket } from "openpgp";

/** The curves that gpg 2.2 knows for ECDSA, and the length of their coordinates in bytes. */
const lengths: ReadonlyMap<string, number> = new Map([
  ["nistP256", 32],
  ["nistP384", 48],
  ["nistP521", 66],
  ["brainpoolP256r1", 32],
  ["brainpoolP384r1", 48],
  ["brainpoolP512r1", 64],
  ["secp256k1", 32],
]);

/** The length of a coordinate of the key's curve, in bytes; 0 for a key without such a curve. */
export function coordinateLength(key: Pick<PublicKeyPacket, "getAlgorithmInfo">): number {
  return lengths.get(key.getAlgorithmInfo().curve ?? "") ?? 0;
}

/** True if Web Crypto can work with the key's curve, or if it has none. */
export function isCurveNative(key: Pick<PublicKeyPacket, "getAlgorithmInfo">): boolean {
  return !/^(brainpool|secp256k1)/.test(key.getAlgorithmInfo().curve ?? "");
}
