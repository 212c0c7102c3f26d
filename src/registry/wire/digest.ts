import { createHash } from "node:crypto";

const sha256Pattern = /^sha256:[0-9a-f]{64}$/;

/** The digest of some bytes, as "sha256:…". */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** True for a valid SHA-256 digest, the only kind in use. */
export function isDigest(text: string): boolean {
  return sha256Pattern.test(text);
}
