import { armor as armorAs, enums } from "openpgp";
import type { Packet } from "../../src/packets.ts";

/** The bytes in the armor of one block. */
export function unarmor(text: string): Buffer {
  const content = text.replaceAll("\r", "").split("\n\n")[1] ?? "";
  return Buffer.from(content.replace(/\n(=[A-Za-z0-9+/]{4})?\n?-----END[^]*/, ""), "base64");
}

/** A signature in armor, with a checksum, as gpg writes it. */
export function armorSignature(bytes: Uint8Array): string {
  return armorAs(enums.armor.signature, bytes, undefined, undefined, undefined, true);
}

/** The packets of well-formed binary data. */
export function* packetsIn(bytes: Uint8Array): Generator<Packet, void, undefined> {
  const data = Buffer.from(bytes);
  for (let at = 0; at < data.length; ) {
    const { tag, length, start } = readHeader(data, at);
    at = start + length;
    yield { tag, body: data.subarray(start, at) };
  }
}

interface Header {
  readonly tag: number;
  readonly length: number;
  /** Of the body. */
  readonly start: number;
}

function readHeader(data: Buffer, at: number): Header {
  const [header = 0, first = 0] = data.subarray(at);
  if ((header & 0x40) === 0) {
    const size = [1, 2, 4][header & 3] ?? 0;
    return { tag: (header >> 2) & 0x0f, length: data.readUIntBE(at + 1, size), start: at + 1 + size };
  }
  const tag = header & 0x3f;
  if (first < 192) {
    return { tag, length: first, start: at + 2 };
  }
  return first === 255
    ? { tag, length: data.readUInt32BE(at + 2), start: at + 6 }
    : { tag, length: data.readUInt16BE(at + 1) - 0xc000 + 192, start: at + 3 };
}
