/** How senders prove that a request is theirs. */
import { createHmac } from "node:crypto";
import { isSameSecret } from "@weir/base";
import { type Hook, type HookEndpoint, HookRefusedError } from "./hook.ts";

/** For senders whose URL is the only secret. */
export const proofByUrl = {
  proves: (): boolean => false,
  verify: (): void => undefined,
};

/** For senders that put the key in the Authorization header, alone or as a bearer token. */
export const proofByAuthorization = {
  proves: (): boolean => true,
  verify: (hook: Hook, endpoint: HookEndpoint): void => requireBearer(hook, endpoint),
};

/** The hash functions for signatures. */
export type Algorithm = "sha1" | "sha256" | "sha512";

/** Throws HookRefusedError if the Authorization header contains anything but the key. */
export function requireBearer(hook: Hook, endpoint: HookEndpoint): void {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(hook.header("authorization")) ?? [];
  requireKey(bearer ?? hook.header("authorization"), endpoint);
}

/** Throws HookRefusedError if a header contains anything but the key. */
export function requireKey(given: string, { keys }: HookEndpoint): void {
  if (given === "") {
    throw new HookRefusedError("unauthorized", "the header with the key is missing");
  }
  // Headers are bytes, and node:http turns each byte into a character.
  if (!isOneOf(Buffer.from(given, "latin1"), keys)) {
    throw new HookRefusedError("unauthorized", "the header contains another key");
  }
}

/** The HMAC of a body in hex, as sent. */
export interface Signature {
  readonly algorithm: Algorithm;
  readonly signature: string;
}

/** A signature that names its hash function, and the functions to accept. */
export interface PrefixedSignature {
  readonly allowed: readonly Algorithm[];
  /** As in "sha256=…". */
  readonly header: string;
}

/** Throws HookRefusedError if the signature doesn't match the body. */
export function requireSignature(
  { algorithm, signature }: Signature,
  { body }: Hook,
  { keys }: HookEndpoint,
): void {
  if (signature === "") {
    throw new HookRefusedError("unauthorized", "the signature is missing");
  }
  const expected = keys.map((key) => createHmac(algorithm, key).update(body).digest("hex"));
  if (!isOneOf(signature.toLowerCase(), expected)) {
    throw new HookRefusedError("unauthorized", "the signature doesn't match the body and the key");
  }
}

/** Does the same for a signature that's prefixed with its hash function. */
export function requirePrefixedSignature(
  { allowed, header }: PrefixedSignature,
  hook: Hook,
  endpoint: HookEndpoint,
): void {
  const [prefix = ""] = header.split("=", 1);
  const algorithm = allowed.find((each) => each === prefix);
  if (header !== "" && algorithm === undefined) {
    throw new HookRefusedError(
      "unauthorized",
      `the signature doesn't start with any of ${allowed.join("=, ")}=`,
    );
  }
  requireSignature(
    { algorithm: algorithm ?? "sha256", signature: header.slice(prefix.length + 1) },
    hook,
    endpoint,
  );
}

/** Compares with all secrets, so that the duration doesn't reveal which one matches. */
function isOneOf(given: string | Uint8Array, secrets: readonly (string | Uint8Array)[]): boolean {
  return secrets.filter((secret) => isSameSecret(given, secret)).length > 0;
}
