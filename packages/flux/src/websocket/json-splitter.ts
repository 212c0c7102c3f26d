import { upstreamLimits } from "@weir/base";

/** A stream of JSON texts is invalid: it's unclear where the next text begins. */
export class JsonStreamError extends Error {
  override readonly name = "JsonStreamError";
  readonly kind: "broken" | "too-deep" | "too-large";

  constructor(kind: JsonStreamError["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The limits of one text. */
export interface JsonSplitterLimits {
  /** In bytes. */
  readonly maxSize: number;
  readonly maxDepth: number;
}

/** A daemon's limits for data from its upstream. */
export const defaultLimits: JsonSplitterLimits = {
  maxSize: upstreamLimits.message,
  maxDepth: upstreamLimits.depth,
};

const space = new Set([0x20, 0x09, 0x0a, 0x0d]);
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Splits a byte stream, received in pieces, into the texts of consecutive JSON objects, with or without
 * whitespace between them. Only considers brackets and quotes: the reader of a text checks whether it's valid
 * JSON. Returns one text at a time, so that a busy caller can leave the rest as bytes.
 */
export class JsonSplitter {
  readonly #limits: JsonSplitterLimits;
  /** Pieces that aren't processed yet, the first one from `#at` on. */
  readonly #ahead: Uint8Array[] = [];
  #at = 0;
  /**
   * The read part of an incomplete text. A copy: pieces can be a single byte each, and each keeps the whole
   * network buffer that it came with.
   */
  #begun = Buffer.alloc(0);
  #size = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor(limits: JsonSplitterLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Adds the next piece of the stream, which must not be modified until `next` asks for more. */
  push(bytes: Uint8Array): void {
    if (bytes.length > 0) {
      this.#ahead.push(bytes);
    }
  }

  /**
   * The next complete text; undefined if more bytes are needed. Invalid UTF-8 is read as U+FFFD, as in Go.
   * Throws JsonStreamError.
   */
  next(): string | undefined {
    for (let piece = this.#ahead[0]; piece !== undefined; piece = this.#ahead[0]) {
      const start = this.#depth === 0 ? this.#beginning(piece) : this.#at;
      const end = this.#scan(piece, start);
      this.#keep(piece.subarray(start, end));
      if (end === piece.length) {
        this.#ahead.shift();
      }
      this.#at = end === piece.length ? 0 : end;
      if (this.#depth === 0 && this.#size > 0) {
        return this.#finish();
      }
    }
    return undefined;
  }

  /** Where the next text begins; the end of the piece if it contains only whitespace. */
  #beginning(piece: Uint8Array): number {
    let at = this.#at;
    while (at < piece.length && space.has(piece[at] ?? 0)) {
      at += 1;
    }
    if (at < piece.length && piece[at] !== openBrace) {
      throw new JsonStreamError("broken", `a message begins with ${nameOf(piece[at] ?? 0)} instead of "{"`);
    }
    return at;
  }

  /** The index after the current text, or after the piece if the text continues. */
  #scan(piece: Uint8Array, start: number): number {
    for (let at = start; at < piece.length; at += 1) {
      this.#step(piece[at] ?? 0);
      if (this.#depth === 0) {
        return at + 1;
      }
    }
    return piece.length;
  }

  #step(byte: number): void {
    if (this.#escaped) {
      this.#escaped = false;
    } else if (this.#inString) {
      this.#escaped = byte === backslash;
      this.#inString = byte !== quote;
    } else if (byte === quote) {
      this.#inString = true;
    } else if (byte === openBrace || byte === openBracket) {
      this.#deepen();
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#depth -= 1;
    }
  }

  #deepen(): void {
    this.#depth += 1;
    if (this.#depth > this.#limits.maxDepth) {
      throw new JsonStreamError(
        "too-deep",
        `a message is nested more than ${this.#limits.maxDepth} levels deep`,
      );
    }
  }

  #keep(part: Uint8Array): void {
    const size = this.#size + part.length;
    if (size > this.#limits.maxSize) {
      throw new JsonStreamError("too-large", `a message is larger than ${this.#limits.maxSize} bytes`);
    }
    if (size > this.#begun.length) {
      // At least doubled, so that a text is copied only a few times, however it arrives.
      const larger = Buffer.alloc(Math.max(size, Math.min(2 * this.#size, this.#limits.maxSize)));
      this.#begun.copy(larger, 0, 0, this.#size);
      this.#begun = larger;
    }
    this.#begun.set(part, this.#size);
    this.#size = size;
  }

  #finish(): string {
    const text = this.#begun.toString("utf8", 0, this.#size);
    this.#begun = Buffer.alloc(0);
    this.#size = 0;
    return text;
  }
}

function nameOf(byte: number): string {
  const isPrintable = byte > 0x20 && byte < 0x7f;
  return isPrintable
    ? JSON.stringify(String.fromCharCode(byte))
    : `the byte 0x${byte.toString(16).padStart(2, "0")}`;
}
