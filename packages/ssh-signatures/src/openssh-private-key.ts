/** OpenSSH's own format of private keys, which OpenSSH describes in PROTOCOL.key. */
import { createPrivateKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { decodeBase64 } from "./base64.ts";
import { FormatError } from "./errors.ts";
import { findKeyType } from "./key-types.ts";
import { readPrivateNumbers } from "./private-numbers.ts";
import { WireReader } from "./wire.ts";

const magic = "openssh-key-v1\0";
const begin = "-----BEGIN OPENSSH PRIVATE KEY-----";
const end = "-----END OPENSSH PRIVATE KEY-----";

/** A private key, or why it can't be used although the file is as it should be. */
export type OpenSshKey =
  | { readonly kind: "key"; readonly key: KeyObject }
  | { readonly kind: "unusable"; readonly because: "passphrase" | "security key" | "type" };

/** Whether a file is in OpenSSH's format. */
export function isOpenSshPrivateKey(text: string): boolean {
  return text.startsWith(begin);
}

/** Reads a private key in OpenSSH's format. Throws FormatError, whose message contains nothing of the key. */
export function parseOpenSshPrivateKey(text: string): OpenSshKey {
  const reader = new WireReader(decodeBody(text));
  if (reader.bytes(magic.length).toString("latin1") !== magic) {
    throw new FormatError("it doesn't contain an OpenSSH key");
  }
  const cipher = reader.text();
  reader.text(); // how the passphrase is hashed
  reader.string(); // with which parameters
  if (reader.uint32() !== 1) {
    throw new FormatError("it doesn't contain exactly one key");
  }
  reader.string(); // the public key, which the private one contains too
  const privatePart = reader.string();
  return cipher === "none" ? parsePrivatePart(privatePart) : { kind: "unusable", because: "passphrase" };
}

function decodeBody(text: string): Buffer {
  const stop = text.indexOf(`\n${end}`);
  if (stop === -1) {
    throw new FormatError("its last line is missing");
  }
  return decodeBase64(text.slice(begin.length, stop));
}

function parsePrivatePart(bytes: Buffer): OpenSshKey {
  const reader = new WireReader(bytes);
  if (reader.uint32() !== reader.uint32()) {
    throw new FormatError("its private part is damaged");
  }
  const named = findKeyType(reader.text());
  if (named === undefined || named.certificate) {
    return { kind: "unusable", because: "type" };
  }
  if (named.type.securityKey) {
    return { kind: "unusable", because: "security key" };
  }
  return { kind: "key", key: importKey(readPrivateNumbers(named.type, reader)) };
}

function importKey(jwk: JsonWebKey): KeyObject {
  try {
    return createPrivateKey({ key: jwk, format: "jwk" });
  } catch {
    // The cause isn't kept: nothing that was made from the key may reach a log.
    throw new FormatError("its numbers aren't a key");
  }
}
