import { createHmac, randomBytes } from "node:crypto";

/** Of what kind a secret is, as its first letters tell; so that scanners and people recognize one that leaked. */
export type SecretKind = "session" | "token" | "instance" | "invitation" | "login";

const prefixes: Readonly<Record<SecretKind, string>> = {
  session: "wcs_",
  token: "wct_",
  instance: "wci_",
  invitation: "wcv_",
  login: "wcl_",
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
 * A secret that follows from another one, for one purpose, as 43 characters for URLs and headers. It doesn't have to be
 * stored, and says nothing about the other one.
 */
export function derivedSecret(secret: string, purpose: string): string {
  return createHmac("sha256", secret).update(purpose).digest("base64url");
}
