import { upstreamLimits } from "@weir/base";

/** A stream of JSON texts cannot be read on: nothing behind this point can be told apart. */
export class JsonStreamError extends Error {
  override readonly name = "JsonStreamError";
  readonly kind: "broken" | "too-deep" | "too-large";

  constructor(kind: JsonStreamError["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** What one text may be. */
export interface JsonSplitterLimits {
  /** In bytes. */
  readonly maxSize: number;
  readonly maxDepth: number;
}

/** What a daemon takes from its upstream. */
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
 * Cuts a stream of bytes, as it comes in pieces, into the texts of JSON objects that stand one behind another with
 * or without white space between them. It looks at brackets and quotes only: whether a text is JSON is for its
 * reader to find out. Texts are cut off one at a time, so that whoever is busy leaves the rest as bytes.
 */
export class JsonSplitter {
  readonly #limits: JsonSplitterLimits;
  /** Pieces that are not looked at yet, the first one from `#at` on. */
  readonly #ahead: Uint8Array[] = [];
  #at = 0;
  /**
   * The text that has begun, as far as it was read. A copy: pieces may be of one byte each, and each holds on to all
   * that came from the network with it.
   */
  #begun = Buffer.alloc(0);
  #size = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor(limits: JsonSplitterLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Takes the next piece of the stream; it must not be changed before `next` has asked for more. */
  push(bytes: Uint8Array): void {
    if (bytes.length > 0) {
      this.#ahead.push(bytes);
    }
  }

  /**
   * The next whole text, undefined where more bytes are needed first. Bytes that are no UTF-8 read as U+FFFD, as in
   * Go. Throws JsonStreamError.
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

  /** Where the next text begins; the end of the piece where it holds white space only. */
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

  /** The index behind the text that has begun, or behind the piece where it goes on. */
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
      // At least doubled, so that a text is copied but a few times, however it comes.
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
