import type { SignedData } from "./signature.ts";

/** A kind of signature. */
export type SignatureFormat = "openpgp" | "ssh" | "x509" | "unknown";

const formats: readonly (readonly [start: string, format: SignatureFormat])[] = [
  ["-----BEGIN PGP SIGNATURE-----", "openpgp"],
  ["-----BEGIN PGP MESSAGE-----", "openpgp"],
  ["-----BEGIN SSH SIGNATURE-----", "ssh"],
  ["-----BEGIN SIGNED MESSAGE-----", "x509"],
];

/** The kind of a signature, which git tells by its beginning. */
export function formatOf({ signature }: Pick<SignedData, "signature">): SignatureFormat {
  const start = Buffer.from(signature.subarray(0, 40)).toString("latin1");
  return formats.find(([text]) => start.startsWith(text))?.[1] ?? "unknown";
}
