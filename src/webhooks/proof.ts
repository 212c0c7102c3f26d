/** The ways in which senders show that a request is theirs. */
import { createHmac } from "node:crypto";
import { isSameSecret } from "@weir/base";
import { type Hook, type HookEndpoint, HookRefusedError } from "./hook.ts";

/** Where nothing but the URL is secret. */
export const proofByUrl = {
  proves: (): boolean => false,
  verify: (): void => undefined,
};

/** Where the key stands in the Authorization header, by itself or as a bearer token. */
export const proofByAuthorization = {
  proves: (): boolean => true,
  verify: (hook: Hook, endpoint: HookEndpoint): void => requireBearer(hook, endpoint),
};

/** The hash functions of signatures. */
export type Algorithm = "sha1" | "sha256" | "sha512";

/** Throws HookRefusedError where the Authorization header holds anything but the key. */
export function requireBearer(hook: Hook, endpoint: HookEndpoint): void {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(hook.header("authorization")) ?? [];
  requireKey(bearer ?? hook.header("authorization"), endpoint);
}

/** Throws HookRefusedError where a header holds anything but the key. */
export function requireKey(given: string, { keys }: HookEndpoint): void {
  if (given === "") {
    throw new HookRefusedError("unauthorized", "the header that holds the key is missing");
  }
  // Headers are bytes, each of which node:http makes a character.
  if (!isOneOf(Buffer.from(given, "latin1"), keys)) {
    throw new HookRefusedError("unauthorized", "the header does not hold the key");
  }
}

/** The HMAC of a body in hex, as it was sent. */
export interface Signature {
  readonly algorithm: Algorithm;
  readonly signature: string;
}

/** A signature that names its hash function, and those that are taken. */
export interface PrefixedSignature {
  readonly allowed: readonly Algorithm[];
  /** As in "sha256=…". */
  readonly header: string;
}

/** Throws HookRefusedError where the signature is not that of the body. */
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
    throw new HookRefusedError("unauthorized", "the signature is not one made with the key");
  }
}

/** The same where the hash function stands before the signature. */
export function requirePrefixedSignature(
  { allowed, header }: PrefixedSignature,
  hook: Hook,
  endpoint: HookEndpoint,
): void {
  const [prefix = ""] = header.split("=", 1);
  const algorithm = allowed.find((each) => each === prefix);
  if (header !== "" && algorithm === undefined) {
    throw new HookRefusedError("unauthorized", `the signature begins with none of ${allowed.join("=, ")}=`);
  }
  requireSignature(
    { algorithm: algorithm ?? "sha256", signature: header.slice(prefix.length + 1) },
    hook,
    endpoint,
  );
}

/** Compares with all, so that the time it takes does not tell with which one it agrees. */
function isOneOf(given: string | Uint8Array, secrets: readonly (string | Uint8Array)[]): boolean {
  return secrets.filter((secret) => isSameSecret(given, secret)).length > 0;
}
