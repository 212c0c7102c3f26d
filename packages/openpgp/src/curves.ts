import { hex } from "./hex.ts";

/** What keys are called in ASN.1. */
export const oids = {
  rsaEncryption: Buffer.from("2a864886f70d010101", "hex"),
  dsa: Buffer.from("2a8648ce380401", "hex"),
  ecPublicKey: Buffer.from("2a8648ce3d0201", "hex"),
  ed25519: Buffer.from("2b6570", "hex"),
} as const;

/** The curves that gpg 2.2 knows for ECDSA, and the length of their coordinates in bytes. */
const curves: ReadonlyMap<string, number> = new Map([
  ["2A8648CE3D030107", 32], // NIST P-256
  ["2B81040022", 48], // NIST P-384
  ["2B81040023", 66], // NIST P-521
  ["2B2403030208010107", 32], // brainpoolP256r1
  ["2B240303020801010B", 48], // brainpoolP384r1
  ["2B240303020801010D", 64], // brainpoolP512r1
  ["2B8104000A", 32], // secp256k1
]);

/** The length of a coordinate of the curve, in bytes; undefined if gpg 2.2 doesn't know the curve. */
export function coordinateLength(curve: Uint8Array): number | undefined {
  return curves.get(hex(curve));
}

/** True for Ed25519 as OpenPGP numbers it, which isn't as ASN.1 does. */
export function isEd25519(curve: Uint8Array): boolean {
  return hex(curve) === "2B06010401DA470F01";
}
