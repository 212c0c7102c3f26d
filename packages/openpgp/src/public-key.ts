import { PublicKeyPacket, SecretKeyPacket } from "openpgp";
import { hex } from "./hex.ts";
import { MalformedError } from "./malformed-error.ts";

declare module "openpgp" {
  /** What openpgp.js has, but doesn't declare. */
  interface PublicKeyPacket {
    writeForHash(version: number): Uint8Array;
  }
}

/** A primary key or a subkey, without its secret part. */
export interface PublicKey {
  /** In seconds since the epoch. */
  readonly created: number;
  readonly algorithm: number;
  /** What a signature of the key signs, and the fingerprint is made of. */
  readonly hashed: Uint8Array;
  readonly fingerprint: string;
  /** The last 16 digits of the fingerprint. */
  readonly keyId: string;
  readonly packet: PublicKeyPacket;
}

/** Thrown for a key of a version that GnuPG 2.2 doesn't import either, or that openpgp.js doesn't know. */
export class UnsupportedKeyError extends MalformedError {}

/** gpg's limits for a packet with a key, and for a number, in bytes. */
const longestKey = 256 * 1024;
const longestNumber = 2_048;

/**
 * Reads the body of a packet with a public or a secret key, and ignores the secret part.
 * @throws UnsupportedKeyError, or MalformedError if it isn't a key.
 */
export async function readPublicKey(body: Uint8Array): Promise<PublicKey> {
  const [version = 0] = body;
  if (version !== 4) {
    throw new UnsupportedKeyError(`a key in it has version ${version}, and only version 4 is supported`);
  }
  if (body.length > longestKey) {
    throw new MalformedError("a key in it is too large");
  }
  const packet = await readPacket(body);
  if (Object.values(packet.publicParams).some(isTooLong)) {
    throw new MalformedError("a number in it is too long");
  }
  const fingerprint = hex(packet.getFingerprintBytes() ?? new Uint8Array());
  return {
    created: packet.created.getTime() / 1000,
    algorithm: packet.algorithm,
    hashed: packet.writeForHash(4),
    fingerprint,
    keyId: fingerprint.slice(-16),
    packet,
  };
}

/** One of the numbers of a key, by its name in openpgp.js; empty if it has none of that name. */
export function numberIn({ packet }: PublicKey, name: string): Uint8Array {
  const value: unknown = new Map<string, unknown>(Object.entries(packet.publicParams)).get(name);
  return value instanceof Uint8Array ? value : new Uint8Array();
}

async function readPacket(body: Uint8Array): Promise<PublicKeyPacket> {
  const packet = new PublicKeyPacket();
  try {
    await packet.read(body);
  } catch (error) {
    throw isUnsupported(error)
      ? new UnsupportedKeyError("a key in it has an algorithm or a curve that isn't supported")
      : new MalformedError("a key in it is damaged", { cause: error });
  }
  return packet;
}

/** openpgp.js doesn't export the class of these errors. */
function isUnsupported(error: unknown): boolean {
  return error instanceof Error && error.name === "UnsupportedError";
}

function isTooLong(value: unknown): boolean {
  return value instanceof Uint8Array && value.length > longestNumber;
}

/**
 * Reads the body of a packet with a secret key.
 * @throws MalformedError if its secret part is damaged.
 */
export async function readSecretKey(body: Uint8Array, { keyId }: PublicKey): Promise<SecretKeyPacket> {
  const packet = new SecretKeyPacket();
  try {
    // A copy: the file with the key shall not stay in memory for it.
    await packet.read(Uint8Array.from(body));
  } catch {
    // Without the cause, which may be about the secret.
    throw new MalformedError(`the secret key ${keyId} in it is damaged`);
  }
  return packet;
}
