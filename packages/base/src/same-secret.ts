import { createHash, timingSafeEqual } from "node:crypto";

/** True where two secrets are the same. Compares digests, so that the time it takes tells nothing of either. */
export function isSameSecret(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(secret: string | Uint8Array): Buffer {
  return createHash("sha256").update(secret).digest();
}
