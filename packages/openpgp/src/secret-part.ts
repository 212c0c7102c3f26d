import type { PublicKey } from "./public-key.ts";

/** What a packet with a secret key holds: the secret, a protected secret, or only a note that it's elsewhere. */
export type SecretPart = "plain" | "protected" | "elsewhere" | "damaged";

const s2kGnu = 101;

/** Looks at the body of a secret packet, whose public part has been read. */
export function secretPartOf({ hashed }: PublicKey, body: Uint8Array): SecretPart {
  const start = hashed.length - 3;
  const [usage, , s2k] = body.subarray(start);
  if (usage === undefined) {
    return "damaged";
  }
  if (usage === 0) {
    return hasChecksum(body.subarray(start + 1)) ? "plain" : "damaged";
  }
  return (usage === 254 || usage === 255) && s2k === s2kGnu ? "elsewhere" : "protected";
}

/** The last two bytes are the sum of the others. */
function hasChecksum(secret: Uint8Array): boolean {
  const length = secret.length - 2;
  const [high = -1, low = -1] = secret.subarray(Math.max(0, length));
  const sum = secret.subarray(0, Math.max(0, length)).reduce((total, byte) => (total + byte) & 0xffff, 0);
  return length > 0 && sum === high * 256 + low;
}
