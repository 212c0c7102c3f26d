/** Thrown for bytes that don't have the form of OpenPGP. The message never quotes them: they may be secret. */
export class MalformedError extends Error {
  override readonly name = "MalformedError";
}

/** Reads numbers and slices from bytes, in order. Throws MalformedError rather than read beyond the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** How many bytes have been read. */
  get offset(): number {
    return this.#offset;
  }

  /** How many bytes are left. */
  get left(): number {
    return this.#bytes.length - this.#offset;
  }

  byte(): number {
    return this.bytes(1)[0] ?? 0;
  }

  /** A number of two bytes. */
  uint16(): number {
    return this.#number(2);
  }

  /** A number of four bytes. */
  uint32(): number {
    return this.#number(4);
  }

  /** The next bytes; not a copy. */
  bytes(length: number): Uint8Array {
    if (length > this.left) {
      throw new MalformedError("it ends too early");
    }
    const start = this.#offset;
    this.#offset += length;
    return this.#bytes.subarray(start, this.#offset);
  }

  /** A multiprecision integer: its length in bits, and then its bytes, the most significant first. */
  integer(): Uint8Array {
    const bits = this.uint16();
    if (bits > longestInteger) {
      throw new MalformedError("a number in it is too long");
    }
    return this.bytes((bits + 7) >> 3);
  }

  #number(length: number): number {
    return this.bytes(length).reduce((number, byte) => number * 256 + byte, 0);
  }
}

/** In bits; gpg's limit too. */
const longestInteger = 16_384;
