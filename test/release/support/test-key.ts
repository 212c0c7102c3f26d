import { generateKeyPairSync, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

/** A key to sign with. */
export interface TestKey {
  /** The public key, as cosign writes it. */
  readonly pem: string;
  /** Writes the signature of a file beside it. */
  readonly sign: (file: string) => void;
}

/** A key as cosign makes them, and signatures as `cosign sign-blob` makes them: see cosign.test.ts. */
export function makeKey(): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    pem: publicKey.export({ type: "spki", format: "pem" }) as string,
    sign: (file) =>
      writeFileSync(`${file}.sig`, sign("sha256", readFileSync(file), privateKey).toString("base64")),
  };
}
