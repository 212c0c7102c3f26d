import { type Packet, Tag, writePacket } from "../../../src/packets.ts";
import { armorSignature, packetsIn, unarmor } from "../../support/packets.ts";

/** The packets of binary data, edited: each may become none, itself, or another. */
export function editPackets(bytes: Uint8Array, edit: (packet: Packet) => readonly Packet[]): Buffer {
  return Buffer.concat([...packetsIn(bytes)].flatMap(edit).map(writePacket));
}

/** An armored signature, edited. */
export function editSignature(signature: string, edit: (packet: Packet) => readonly Packet[]): string {
  return armorSignature(editPackets(unarmor(signature), edit));
}

/** A signature without the attributes that aren't signed. */
export function withoutUnhashed({ tag, body }: Packet): readonly Packet[] {
  if (tag !== Tag.signature || body[0] !== 4) {
    return [{ tag, body }];
  }
  const start = 6 + ((body[4] ?? 0) << 8) + (body[5] ?? 0);
  const length = ((body[start] ?? 0) << 8) + (body[start + 1] ?? 0);
  const none = Uint8Array.of(0, 0);
  return [{ tag, body: Buffer.concat([body.subarray(0, start), none, body.subarray(start + 2 + length)]) }];
}
