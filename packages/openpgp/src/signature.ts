import { Algorithm } from "./algorithms.ts";
import { ByteReader, MalformedError } from "./byte-reader.ts";
import { hex } from "./hex.ts";
import { Subpacket, Subpackets } from "./subpackets.ts";

/** What a signature says about what it signs. */
export const SignatureType = {
  binary: 0x00,
  text: 0x01,
  certification: 0x10,
  positiveCertification: 0x13,
  subkeyBinding: 0x18,
  primaryKeyBinding: 0x19,
  directKey: 0x1f,
  keyRevocation: 0x20,
  subkeyRevocation: 0x28,
  certificationRevocation: 0x30,
} as const;

/** A signature packet. Times are in seconds since the epoch. */
export interface Signature {
  readonly version: number;
  readonly type: number;
  /** The algorithm of the key. */
  readonly algorithm: number;
  /** The OpenPGP number of the hash function. */
  readonly hash: number;
  readonly created: number;
  readonly expires: number | undefined;
  /** The key ID that it names, or zeros. */
  readonly issuer: string;
  readonly issuerFingerprint: string | undefined;
  readonly hashed: Subpackets;
  readonly unhashed: Subpackets;
  readonly hasUnknownCritical: boolean;
  readonly values: readonly Uint8Array[];
  /** What is hashed after the signed data. */
  readonly trailer: Uint8Array;
  readonly body: Uint8Array;
}

/** gpg's limit for a list of subpackets. */
const longestArea = 10_000;

/**
 * Reads the body of a signature packet.
 * @throws MalformedError if gpg 2.2 couldn't read it.
 */
export function readSignature(body: Uint8Array): Signature {
  const version = body[0];
  if (body.length < 16) {
    throw new MalformedError("a signature in it is too short");
  }
  switch (version) {
    case 4:
      return readVersion4(body);
    case 2:
    case 3:
      return readVersion3(body, version);
    default:
      throw new MalformedError(
        `it has a signature of version ${String(version)}, which GnuPG 2.2 doesn't know`,
      );
  }
}

function readVersion4(body: Uint8Array): Signature {
  const reader = new ByteReader(body);
  const version = reader.byte();
  const type = reader.byte();
  const algorithm = reader.byte();
  const hash = reader.byte();
  const hashed = new Subpackets(readArea(reader));
  const end = reader.offset;
  const unhashed = new Subpackets(readArea(reader));
  reader.uint16();
  const created = hashed.firstNumber(Subpacket.created) ?? 0;
  const lifetime = hashed.firstNumber(Subpacket.expires);
  return {
    version,
    type,
    algorithm,
    hash,
    created,
    expires: lifetime === undefined ? undefined : created + lifetime,
    issuer: hex(
      (hashed.first(Subpacket.issuer) ?? unhashed.first(Subpacket.issuer) ?? noKeyId).subarray(0, 8),
    ),
    issuerFingerprint: fingerprintIn(hashed.first(Subpacket.issuerFingerprint)),
    hashed,
    unhashed,
    hasUnknownCritical: hashed.hasUnknownCritical || unhashed.hasUnknownCritical,
    values: readValues(reader, algorithm),
    trailer: trailerOf(body.subarray(0, end)),
    body,
  };
}

function readVersion3(body: Uint8Array, version: number): Signature {
  const reader = new ByteReader(body);
  reader.bytes(2);
  const trailer = reader.bytes(5);
  const [type = 0] = trailer;
  const created = new ByteReader(trailer.subarray(1)).uint32();
  const issuer = hex(reader.bytes(8));
  const algorithm = reader.byte();
  const hash = reader.byte();
  reader.uint16();
  const none = new Subpackets(new Uint8Array());
  return {
    version,
    type,
    algorithm,
    hash,
    created,
    expires: undefined,
    issuer,
    issuerFingerprint: undefined,
    hashed: none,
    unhashed: none,
    hasUnknownCritical: false,
    values: readValues(reader, algorithm),
    trailer,
    body,
  };
}

const noKeyId = new Uint8Array(8);

function readArea(reader: ByteReader): Uint8Array {
  const length = reader.uint16();
  if (length > longestArea) {
    throw new MalformedError("a signature in it has too many attributes");
  }
  return reader.bytes(length);
}

function fingerprintIn(value: Uint8Array | undefined): string | undefined {
  return value?.length === 21 && value[0] === 4 ? hex(value.subarray(1)) : undefined;
}

/** What is hashed after the signed data, given a version 4 signature up to its first list of subpackets. */
export function trailerOf(head: Uint8Array): Uint8Array {
  const end = Buffer.alloc(6);
  end[0] = 4;
  end[1] = 0xff;
  end.writeUInt32BE(head.length, 2);
  return Buffer.concat([head, end]);
}

function readValues(reader: ByteReader, algorithm: number): readonly Uint8Array[] {
  return Array.from({ length: valueCount(algorithm) }, () => reader.integer());
}

function valueCount(algorithm: number): number {
  switch (algorithm) {
    case Algorithm.rsa:
    case Algorithm.rsaEncrypt:
    case Algorithm.rsaSign:
      return 1;
    case Algorithm.dsa:
    case Algorithm.ecdsa:
    case Algorithm.eddsa:
      return 2;
    default:
      return 0;
  }
}
