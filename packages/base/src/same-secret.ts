import { createHash, timingSafeEqual } from "node:crypto";

/** True if two secrets are equal. Compares digests, so that the duration reveals nothing about them. */
export function isSameSecret(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(secret: string | Uint8Array): Buffer {
  return createHash("sha256").update(secret).digest();
}
