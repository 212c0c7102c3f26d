import { createHash } from "node:crypto";
import { Algorithm } from "./algorithms.ts";
import { ByteReader, MalformedError } from "./byte-reader.ts";
import { hex } from "./hex.ts";

/** A primary key or a subkey, without its secret part. */
export interface PublicKey {
  /** In seconds since the epoch. */
  readonly created: number;
  readonly algorithm: number;
  /** Numbers, curves, and parameters, as the algorithm has them. */
  readonly values: readonly Uint8Array[];
  /** What a signature of the key signs, and the fingerprint is made of. */
  readonly hashed: Uint8Array;
  readonly fingerprint: string;
  /** The last 16 digits of the fingerprint. */
  readonly keyId: string;
}

/** Thrown for a key of a version that GnuPG 2.2 doesn't import either. It skips the key. */
export class KeyVersionError extends MalformedError {}

/** gpg's limit for a packet with a key. */
const longestKey = 256 * 1024;

/**
 * Reads the body of a packet with a public or a secret key, and ignores the secret part.
 * @throws KeyVersionError, or MalformedError if it isn't a key.
 */
export function readPublicKey(body: Uint8Array): PublicKey {
  const reader = new ByteReader(body);
  const version = reader.byte();
  if (version !== 4) {
    throw new KeyVersionError(`a key in it has version ${version}, and only version 4 is supported`);
  }
  if (body.length > longestKey) {
    throw new MalformedError("a key in it is too large");
  }
  const created = reader.uint32();
  const algorithm = reader.byte();
  const values = readKeyValues(reader, algorithm);
  const length = reader.offset;
  const hashed = Buffer.concat([Uint8Array.of(0x99, length >> 8, length & 0xff), body.subarray(0, length)]);
  const fingerprint = hex(createHash("sha1").update(hashed).digest());
  return { created, algorithm, values, hashed, fingerprint, keyId: fingerprint.slice(-16) };
}

function readKeyValues(reader: ByteReader, algorithm: number): readonly Uint8Array[] {
  switch (algorithm) {
    case Algorithm.rsa:
    case Algorithm.rsaEncrypt:
    case Algorithm.rsaSign:
      return [reader.integer(), reader.integer()];
    case Algorithm.elgamal:
      return [reader.integer(), reader.integer(), reader.integer()];
    case Algorithm.dsa:
      return [reader.integer(), reader.integer(), reader.integer(), reader.integer()];
    case Algorithm.ecdsa:
    case Algorithm.eddsa:
      return [reader.bytes(reader.byte()), reader.integer()];
    case Algorithm.ecdh:
      return [reader.bytes(reader.byte()), reader.integer(), reader.bytes(reader.byte())];
    default:
      return [reader.bytes(reader.left)];
  }
}
