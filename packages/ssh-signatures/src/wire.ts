/**
 * The encoding of RFC 4251, section 5: numbers are big-endian, and a string is its length in four bytes and then its
 * bytes.
 */
import { FormatError } from "./errors.ts";

/** No number in a key or a signature is longer: 16,384 bits. */
const maxIntegerBytes = 2048;

/** Reads values one after the other. Throws FormatError if the bytes end too early. The bytes aren't copied. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** How many bytes were read so far. */
  get offset(): number {
    return this.#at;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  bytes(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) {
      throw new FormatError("it ends too early");
    }
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  byte(): number {
    return this.bytes(1).readUInt8();
  }

  uint32(): number {
    return this.bytes(4).readUInt32BE();
  }

  uint64(): bigint {
    return this.bytes(8).readBigUInt64BE();
  }

  string(): Buffer {
    return this.bytes(this.uint32());
  }

  /**
   * A string that is text, one character for each byte. Like OpenSSH, this allows a NUL at the end, which isn't part of
   * the text, and nowhere else.
   */
  text(): string {
    const text = this.string().toString("latin1");
    const nul = text.indexOf("\0");
    if (nul !== -1 && nul !== text.length - 1) {
      throw new FormatError("a name in it contains a NUL character");
    }
    return nul === -1 ? text : text.slice(0, nul);
  }

  /** An integer that isn't negative, without leading zeros. */
  integer(): Buffer {
    const bytes = this.string();
    if (((bytes[0] ?? 0) & 0x80) !== 0) {
      throw new FormatError("a number in it is negative");
    }
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = start === -1 ? bytes.subarray(0, 0) : bytes.subarray(start);
    if (digits.length > maxIntegerBytes) {
      throw new FormatError("a number in it is too large");
    }
    return digits;
  }

  /** Throws FormatError unless everything was read. */
  end(): void {
    if (!this.atEnd) {
      throw new FormatError("there is more data after its end");
    }
  }
}

/** A string, from bytes or from text with one character for each byte. */
export function wireString(value: Uint8Array | string): Buffer {
  const bytes = typeof value === "string" ? Buffer.from(value, "latin1") : value;
  return Buffer.concat([wireUint32(bytes.length), bytes]);
}

/** An integer, from its digits without leading zeros. */
export function wireInteger(digits: Uint8Array): Buffer {
  const first = digits[0] ?? 0;
  return wireString(first >= 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits);
}

export function wireUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
