import { ByteReader, MalformedError } from "./byte-reader.ts";

/** The kinds of packets that matter here, by the tag in their header. */
export const Tag = {
  encryptedSessionKey: 1,
  signature: 2,
  passwordSessionKey: 3,
  onePassSignature: 4,
  secretKey: 5,
  publicKey: 6,
  secretSubkey: 7,
  compressed: 8,
  encrypted: 9,
  literal: 11,
  userId: 13,
  publicSubkey: 14,
  userAttribute: 17,
  encryptedWithIntegrity: 18,
  encryptedAead: 20,
} as const;

/** The parts that OpenPGP data consists of. */
export interface Packet {
  readonly tag: number;
  readonly body: Uint8Array;
}

/**
 * The packets of binary OpenPGP data, one at a time.
 * @throws MalformedError at the first packet without a valid header, or that ends too early.
 */
export function* readPackets(bytes: Uint8Array): Generator<Packet, void, undefined> {
  const reader = new ByteReader(bytes);
  while (reader.left > 0) {
    const header = reader.byte();
    if ((header & 0x80) === 0) {
      throw new MalformedError("it isn't OpenPGP data");
    }
    const isNewFormat = (header & 0x40) !== 0;
    const tag = isNewFormat ? header & 0x3f : (header >> 2) & 0x0f;
    const length = isNewFormat ? newLength(reader) : oldLength(reader, header & 3);
    yield { tag, body: reader.bytes(length) };
  }
}

function newLength(reader: ByteReader): number {
  const first = reader.byte();
  if (first < 192) {
    return first;
  }
  if (first < 224) {
    return (first - 192) * 256 + reader.byte() + 192;
  }
  if (first < 255) {
    throw new MalformedError("a packet in it has no fixed length");
  }
  return reader.uint32();
}

function oldLength(reader: ByteReader, kind: number): number {
  switch (kind) {
    case 0:
      return reader.byte();
    case 1:
      return reader.uint16();
    case 2:
      return reader.uint32();
    default:
      throw new MalformedError("a packet in it has no fixed length");
  }
}

/** A packet with its header. */
export function writePacket({ tag, body }: Packet): Uint8Array {
  const header = Buffer.alloc(6);
  header[0] = 0xc0 | tag;
  header[1] = 0xff;
  header.writeUInt32BE(body.length, 2);
  return Buffer.concat([header, body]);
}
