import { createHash, type JsonWebKey } from "node:crypto";
import { FormatError } from "./errors.ts";
import type { Curve, KeyType } from "./key-types.ts";
import { type WireReader, wireInteger, wireString } from "./wire.ts";

/** RSA keys with fewer bits are refused, as in OpenSSH. */
const minRsaBits = 1024;

/** A public key without a certificate. */
export interface PlainKey {
  readonly type: KeyType;
  /** For Node.js. Its numbers may not be a key. */
  readonly jwk: JsonWebKey;
  /** The length of an RSA key's modulus, in bytes; 0 for others. */
  readonly modulusLength: number;
  /** Of a security key: the application that the key is for, such as `ssh:`; otherwise empty. */
  readonly application: string;
  /** The key in the one form in which equal keys are equal bytes. */
  readonly blob: Buffer;
  /** `SHA256:…`, as ssh-keygen prints it. */
  readonly fingerprint: string;
}

/** Reads the part of a key that follows its type. Throws FormatError. */
export function readPlainKey(type: KeyType, reader: WireReader): PlainKey {
  const { jwk, fields, modulusLength } = readNumbers(type, reader);
  const application = type.securityKey ? reader.text() : "";
  const parts = type.securityKey ? [...fields, wireString(application)] : fields;
  const blob = Buffer.concat([wireString(type.name), ...parts]);
  return { type, jwk, modulusLength, application, blob, fingerprint: fingerprintOf(blob) };
}

interface Numbers {
  readonly jwk: JsonWebKey;
  readonly fields: readonly Buffer[];
  readonly modulusLength: number;
}

function readNumbers(type: KeyType, reader: WireReader): Numbers {
  switch (type.kind) {
    case "ed25519":
      return readEd25519(reader);
    case "ecdsa":
      return readEcdsa(type.curve, reader);
    case "rsa":
      return readRsa(reader);
  }
}

function readEd25519(reader: WireReader): Numbers {
  const point = reader.string();
  if (point.length !== 32) {
    throw new FormatError("its Ed25519 key doesn't have 32 bytes");
  }
  const jwk = { kty: "OKP", crv: "Ed25519", x: point.toString("base64url") };
  return { jwk, fields: [wireString(point)], modulusLength: 0 };
}

function readEcdsa(curve: Curve, reader: WireReader): Numbers {
  const name = reader.text();
  const point = reader.string();
  if (name !== curve.name) {
    throw new FormatError("its ECDSA key is for another curve than its type");
  }
  if (point.length !== 1 + 2 * curve.size || point[0] !== 4) {
    throw new FormatError("its ECDSA key isn't an uncompressed point of its curve");
  }
  const x = point.subarray(1, 1 + curve.size).toString("base64url");
  const y = point.subarray(1 + curve.size).toString("base64url");
  return {
    jwk: { kty: "EC", crv: curve.jwk, x, y },
    fields: [wireString(name), wireString(point)],
    modulusLength: 0,
  };
}

function readRsa(reader: WireReader): Numbers {
  const exponent = reader.integer();
  const modulus = reader.integer();
  const bits = modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24;
  if (bits < minRsaBits) {
    throw new FormatError(`its RSA key has fewer than ${minRsaBits} bits`);
  }
  const jwk = { kty: "RSA", n: modulus.toString("base64url"), e: exponent.toString("base64url") };
  const fields = [wireInteger(exponent), wireInteger(modulus)];
  return { jwk, fields, modulusLength: modulus.length };
}

function fingerprintOf(blob: Buffer): string {
  const digest = createHash("sha256").update(blob).digest("base64");
  return `SHA256:${digest.replace(/=+$/, "")}`;
}
