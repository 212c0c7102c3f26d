import { createPrivateKey, type KeyObject } from "node:crypto";
import { Algorithm } from "./algorithms.ts";
import { ByteReader } from "./byte-reader.ts";
import { coordinateLength, isEd25519, oids } from "./curves.ts";
import { integer, nothing, octetString, oid, parameters, sequence } from "./der.ts";
import { SigningKeyError } from "./errors.ts";
import type { KeyPart } from "./key-block.ts";

/**
 * The secret part of a key, for `node:crypto`.
 * @throws SigningKeyError if it can't sign.
 */
export function privateKeyOf({ key, secret }: KeyPart): KeyObject {
  const encoded = secret === undefined ? undefined : encode(key, secretReader(key.hashed.length - 3, secret));
  if (encoded === undefined) {
    throw new SigningKeyError(`gpg: signing failed: the algorithm of the key ${key.keyId} isn't supported`);
  }
  try {
    return createPrivateKey({ key: encoded, format: "der", type: "pkcs8" });
  } catch (error) {
    throw new SigningKeyError(`gpg: signing failed: the secret key ${key.keyId} is damaged`, {
      cause: error,
    });
  } finally {
    encoded.fill(0);
  }
}

/** After the public part, there is a byte that says that the secret isn't protected. */
function secretReader(publicLength: number, secret: Uint8Array): ByteReader {
  return new ByteReader(secret.subarray(publicLength + 1));
}

function encode({ algorithm, values }: KeyPart["key"], secret: ByteReader): Buffer | undefined {
  const [first = empty, second = empty, third = empty] = values;
  switch (algorithm) {
    case Algorithm.rsa:
    case Algorithm.rsaSign:
      return pkcs8(sequence(oid(oids.rsaEncryption), nothing), rsaKey(first, second, secret));
    case Algorithm.dsa:
      return pkcs8(
        sequence(oid(oids.dsa), sequence(integer(first), integer(second), integer(third))),
        integer(secret.integer()),
      );
    case Algorithm.ecdsa:
      return pkcs8(
        sequence(oid(oids.ecPublicKey), oid(first)),
        sequence(
          integer(Uint8Array.of(1)),
          octetString(padded(secret.integer(), coordinateLength(first) ?? 0)),
          parameters(oid(first)),
        ),
      );
    case Algorithm.eddsa:
      return isEd25519(first)
        ? pkcs8(sequence(oid(oids.ed25519)), octetString(padded(secret.integer(), 32)))
        : undefined;
    default:
      return undefined;
  }
}

function pkcs8(algorithm: Uint8Array, key: Uint8Array): Buffer {
  return Buffer.from(sequence(integer(Uint8Array.of(0)), algorithm, octetString(key)));
}

/** OpenPGP keeps the inverse of the first prime, PKCS #1 that of the second: so the primes change places. */
function rsaKey(modulus: Uint8Array, exponent: Uint8Array, secret: ByteReader): Uint8Array {
  const d = secret.integer();
  const p = secret.integer();
  const q = secret.integer();
  const inverse = secret.integer();
  return sequence(
    integer(Uint8Array.of(0)),
    ...[modulus, exponent, d, q, p, exponentFor(d, q), exponentFor(d, p), inverse].map(integer),
  );
}

/** d mod (prime - 1) */
function exponentFor(d: Uint8Array, prime: Uint8Array): Uint8Array {
  const digits = (numberOf(d) % (numberOf(prime) - 1n)).toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
}

function padded(bytes: Uint8Array, length: number): Uint8Array {
  const whole = Buffer.alloc(length);
  whole.set(bytes.subarray(-length), Math.max(0, length - bytes.length));
  return whole;
}

const empty = new Uint8Array();
