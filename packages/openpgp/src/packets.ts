import { config, PacketList } from "openpgp";
import { MalformedError } from "./malformed-error.ts";

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

/** Packets, up to the first that can't be read. */
export interface Packets {
  readonly packets: readonly Packet[];
  /** Why the reading stopped before the end. */
  readonly problem?: MalformedError;
}

/**
 * Divides binary OpenPGP data into packets. openpgp.js does it, and gets classes that only keep what is in the
 * packets: whether that is acceptable is decided by gpg's rules, not by those of openpgp.js. Some packets that nobody
 * needs, such as the trust packets of keyrings, are left out. It stops after `most` packets: each takes time, even if
 * it is empty.
 */
export async function readPackets(bytes: Uint8Array, most: number): Promise<Packets> {
  const packets: Packet[] = [];
  const [first] = bytes;
  if (first === undefined) {
    return { packets };
  }
  if (isWithoutLength(first)) {
    return { packets, problem: new MalformedError("a packet in it has no fixed length") };
  }
  try {
    await PacketList.fromBinary(bytes, collectingClasses(packets, most), config);
    return { packets };
  } catch (error) {
    return {
      packets,
      problem: new MalformedError(reasonFor(error, packets.length === most), { cause: error }),
    };
  }
}

/** True for a header in the old format without a length, which openpgp.js accepts for all kinds of packets. */
function isWithoutLength(header: number): boolean {
  return (header & 0x40) === 0 && (header & 3) === 3;
}

/** By tag. openpgp.js declares a Map, but looks tags up as in an array. */
function collectingClasses(packets: Packet[], most: number): Parameters<typeof PacketList.fromBinary>[1] {
  const classes: unknown = Array.from(
    { length: 64 },
    (_, tag) =>
      class {
        read(body: Uint8Array): void {
          if (packets.length === most) {
            throw new MalformedError("it has too many packets");
          }
          packets.push({ tag, body });
        }
      },
  );
  return classes as Parameters<typeof PacketList.fromBinary>[1];
}

function reasonFor(error: unknown, isFull: boolean): string {
  if (isFull) {
    return "it has too many packets";
  }
  const hasEnded = error instanceof Error && error.message.includes("end of packet");
  return hasEnded ? "it ends too early" : "it isn't OpenPGP data";
}

/** A packet with its header. */
export function writePacket({ tag, body }: Packet): Uint8Array {
  const header = Buffer.alloc(6);
  header[0] = 0xc0 | tag;
  header[1] = 0xff;
  header.writeUInt32BE(body.length, 2);
  return Buffer.concat([header, body]);
}
