import { type Config, enums, type RawSubpacket, SignaturePacket } from "openpgp";
import { hashOf } from "./algorithms.ts";

declare module "openpgp" {
  /** What openpgp.js has, but doesn't declare. */
  interface SignaturePacket {
    readonly params?: object;
    sign(
      key: SecretKeyPacket,
      data: Uint8Array,
      date: Date,
      ...[detached, config]: readonly [boolean, Config]
    ): Promise<void>;
    toSign(type: enums.signature, data: Uint8Array): Uint8Array;
    toHash(type: enums.signature, data: Uint8Array, detached: boolean): Uint8Array | undefined;
    hash(type: enums.signature, data: Uint8Array, ...rest: readonly unknown[]): Promise<Uint8Array>;
    calculateTrailer(data: Uint8Array, detached: boolean): Uint8Array;
    readSubPackets(bytes: Uint8Array, hashed: boolean): number;
    readSubPacket(bytes: Uint8Array, hashed: boolean): void;
  }
}

/** gpg's limit for a list of subpackets. */
const longestArea = 10_000;

/**
 * A signature that openpgp.js reads, makes, and checks mathematically, without its rules about what is acceptable:
 * those would differ from gpg's. What `sign` and `verify` take as data are the bytes that are signed.
 */
export class GpgSignaturePacket extends SignaturePacket {
  /** Like `unhashedSubpackets`, of the signed list. */
  readonly hashedSubpackets: RawSubpacket[] = [];
  /** False if a list of subpackets breaks off. */
  isComplete = true;
  /** True for keys that Web Crypto can't work with, so that openpgp.js takes its own implementation. */
  isCurveForeign = false;
  /** True after an empty subpacket, where gpg stops reading the list. */
  #hasEnded = false;

  /** Also reads versions 2 and 3, which openpgp.js doesn't, but gpg does: it rewrites them as version 4. */
  override read(body: Uint8Array): void {
    const [version = 0] = body;
    if (version !== 2 && version !== 3) {
      super.read(body);
      return;
    }
    super.read(asVersion4(body));
    this.version = version;
    this.signatureData = body.subarray(2, 7);
  }

  override readSubPackets(bytes: Uint8Array, hashed: boolean): number {
    const length = 2 + (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0));
    if (length > bytes.length || length > longestArea + 2) {
      throw new Error("The list of subpackets is too long");
    }
    this.#hasEnded = false;
    if (super.readSubPackets(bytes.subarray(0, length), hashed) !== length) {
      this.#listOf(hashed).pop();
      this.isComplete = false;
    }
    // openpgp.js wants a time, and would judge by it. Who needs the time finds it in the subpackets.
    this.created = new Date(0);
    return length;
  }

  /** Only keeps it. openpgp.js would take the last of several of a type, and refuse a whole signature for one. */
  override readSubPacket(bytes: Uint8Array, hashed: boolean): void {
    const [type] = bytes;
    if (type === undefined) {
      this.#hasEnded = true;
      this.isComplete = false;
    } else if (!this.#hasEnded) {
      const subpacket = { type: type & 0x7f, critical: (type & 0x80) !== 0, body: bytes.subarray(1) };
      this.#listOf(hashed).push(subpacket);
    }
  }

  #listOf(hashed: boolean): RawSubpacket[] {
    return hashed ? this.hashedSubpackets : this.unhashedSubpackets;
  }

  override toSign(_type: enums.signature, data: Uint8Array): Uint8Array {
    return data;
  }

  override calculateTrailer(data: Uint8Array, detached: boolean): Uint8Array {
    return this.version < 4 ? new Uint8Array() : super.calculateTrailer(data, detached);
  }

  /** With nothing to hash itself, openpgp.js signs and verifies the digest, and doesn't try Web Crypto or Node. */
  override toHash(type: enums.signature, data: Uint8Array, detached: boolean): Uint8Array | undefined {
    return this.isCurveForeign ? undefined : super.toHash(type, data, detached);
  }

  override async hash(type: enums.signature, data: Uint8Array): Promise<Uint8Array> {
    const digest = await super.hash(type, data, super.toHash(type, data, true));
    // The first bytes of the digest are a hint, which gpg ignores.
    this.signedHashValue = digest.subarray(0, 2);
    if (this.publicKeyAlgorithm === enums.publicKey.eddsaLegacy && isShort(this.hashAlgorithm)) {
      // gpg accepts short digests with EdDSA, and openpgp.js doesn't. From here on, it only needs to know the length.
      this.hashAlgorithm = enums.hash.sha256;
    }
    return digest;
  }
}

function isShort(hash: number | null): boolean {
  return (hashOf(hash ?? 0)?.length ?? 0) < 32;
}

/** The same fields in the order of version 4, with the time and the key ID as subpackets. */
function asVersion4(body: Uint8Array): Uint8Array {
  const [, length, type = 0] = body;
  if (length !== 5 || body.length < 19) {
    throw new Error("The signature is too short");
  }
  const created = [6, 5, 2, ...body.subarray(3, 7)];
  const issuer = [10, 9, 16, ...body.subarray(7, 15)];
  return Buffer.concat([
    Uint8Array.from([4, type, ...body.subarray(15, 17), 0, ...created, 0, ...issuer]),
    body.subarray(17),
  ]);
}
