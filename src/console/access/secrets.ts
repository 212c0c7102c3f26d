import { createHash, randomBytes } from "node:crypto";

/** Of what kind a secret is, as its first letters tell; so that scanners and people recognize one that leaked. */
export type SecretKind = "session" | "token" | "instance" | "invitation";

const prefixes: Readonly<Record<SecretKind, string>> = {
  session: "wcs_",
  token: "wct_",
  instance: "wci_",
  invitation: "wcv_",
};

/** A new secret of 256 random bits, as text for URLs and headers. */
export function newSecret(kind: SecretKind): string {
  return prefixes[kind] + randomBytes(32).toString("base64url");
}

/** True if a text has the form of such a secret. */
export function isSecret(kind: SecretKind, text: string): boolean {
  return text.startsWith(prefixes[kind]) && /^[\w-]{43}$/.test(text.slice(prefixes[kind].length));
}

/**
 * What's stored of a secret, and what it's found by: SHA-256 in hex. A slow hash would add nothing, since nobody can
 * guess 256 random bits.
 */
export function hashOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
