import type { JsonWebKey } from "node:crypto";
import { FormatError } from "./errors.ts";
import type { Curve, KeyType } from "./key-types.ts";
import type { WireReader } from "./wire.ts";

/** Reads the numbers of a private key in OpenSSH's format, which follow its type. Throws FormatError. */
export function readPrivateNumbers(type: KeyType, reader: WireReader): JsonWebKey {
  switch (type.kind) {
    case "ed25519":
      return readEd25519(reader);
    case "ecdsa":
      return readEcdsa(type.curve, reader);
    case "rsa":
      return readRsa(reader);
  }
}

function readEd25519(reader: WireReader): JsonWebKey {
  const point = reader.string();
  // The seed, and then the public key again.
  const secret = reader.string();
  if (point.length !== 32 || secret.length !== 64 || !secret.subarray(32).equals(point)) {
    throw new FormatError("its Ed25519 key doesn't have 32 bytes");
  }
  return { kty: "OKP", crv: "Ed25519", x: base64url(point), d: base64url(secret.subarray(0, 32)) };
}

function readEcdsa(curve: Curve, reader: WireReader): JsonWebKey {
  const name = reader.text();
  const point = reader.string();
  const scalar = reader.integer();
  if (name !== curve.name || point.length !== 1 + 2 * curve.size || scalar.length > curve.size) {
    throw new FormatError("its ECDSA key isn't one of its curve");
  }
  return {
    kty: "EC",
    crv: curve.jwk,
    x: base64url(point.subarray(1, 1 + curve.size)),
    y: base64url(point.subarray(1 + curve.size)),
    d: base64url(Buffer.concat([Buffer.alloc(curve.size - scalar.length), scalar])),
  };
}

function readRsa(reader: WireReader): JsonWebKey {
  const n = reader.integer();
  const e = reader.integer();
  const d = reader.integer();
  const qi = reader.integer();
  const p = reader.integer();
  const q = reader.integer();
  if (p.length === 0 || q.length === 0) {
    throw new FormatError("its RSA key has no primes");
  }
  return {
    kty: "RSA",
    n: base64url(n),
    e: base64url(e),
    d: base64url(d),
    p: base64url(p),
    q: base64url(q),
    dp: base64url(remainder(d, p)),
    dq: base64url(remainder(d, q)),
    qi: base64url(qi),
  };
}

/** The exponent for one of the primes, which OpenSSH doesn't store. */
function remainder(exponent: Buffer, prime: Buffer): Buffer {
  const value = toBigInt(exponent) % (toBigInt(prime) - 1n);
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
}

function toBigInt(digits: Buffer): bigint {
  return BigInt(`0x${digits.toString("hex")}`);
}

function base64url(bytes: Buffer): string {
  return bytes.toString("base64url");
}
