import { createHash } from "node:crypto";

/**
 * What's stored of a secret of 256 random bits, and what it's found by: SHA-256 in hex. A slow hash would add nothing,
 * since nobody can guess such a secret.
 */
export function hashOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
