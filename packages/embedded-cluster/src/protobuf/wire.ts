/** The wire format of protobuf, as far as it is read here. */

/** A message that does not follow the wire format. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/** One field of a message: a number for varints and fixed widths, bytes for all else. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/** The fields of a message in the order in which they stand. Throws WireError. */
export function* readFields(bytes: Uint8Array): Generator<WireField> {
  const reader = new Reader(bytes);
  while (!reader.isAtEnd()) {
    const tag = reader.varint();
    yield { number: Number(tag >> 3n), value: reader.value(Number(tag & 7n)) };
  }
}

/** A varint as the signed number of 64 bits that it stands for. */
export function signed(value: bigint | Uint8Array): number {
  return typeof value === "bigint" ? Number(BigInt.asIntN(64, value)) : 0;
}

/** A length-delimited field as text. */
export function text(value: bigint | Uint8Array): string {
  return typeof value === "bigint" ? "" : bufferOf(value).toString();
}

/** The same bytes as a Buffer. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  value(wireType: number): bigint | Uint8Array {
    switch (wireType) {
      case 0:
        return this.varint();
      case 1:
        return bufferOf(this.#take(8)).readBigUInt64LE();
      case 2:
        return this.#take(Number(this.varint()));
      case 5:
        return BigInt(bufferOf(this.#take(4)).readUInt32LE());
      default:
        throw new WireError(`proto: illegal wireType ${wireType}`);
    }
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const [byte = 0] = this.#take(1);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
    throw new WireError("proto: integer overflow");
  }

  #take(length: number): Uint8Array {
    if (length < 0 || this.#at + length > this.#bytes.length) {
      throw new WireError("unexpected EOF");
    }
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }
}
