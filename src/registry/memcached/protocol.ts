/**
 * Memcached's text protocol, as far as it is needed: get, set, version. Pure: bytes in, replies out.
 * https://github.com/memcached/memcached/blob/master/doc/protocol.txt
 */

import { memcachedLimits } from "@weir/base";

/** What a server answers to a command. */
export type Reply =
  | { readonly kind: "value"; readonly key: string; readonly data: Buffer }
  /** END, STORED, VERSION …, or one of the errors; without the line's end. */
  | { readonly kind: "line"; readonly text: string };

/** A server does not speak memcached's protocol. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

/** Asks for one value. */
export function getCommand(key: string): Buffer {
  return Buffer.from(`get ${key}\r\n`);
}

/** Puts one value; it is kept for that many seconds. */
export function setCommand(key: string, seconds: number, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`set ${key} 0 ${seconds} ${data.length}\r\n`), data, lineEnd]);
}

/** Asks whether anybody is there. */
export const versionCommand = Buffer.from("version\r\n");

const lineEnd = Buffer.from("\r\n");
const valueEnd = Buffer.from("\r\nEND\r\n");

/** Cuts what comes over a connection into replies. */
export class ReplyReader {
  #chunks: Buffer[] = [];
  #length = 0;
  /** With fewer bytes there is no whole reply; it saves putting a large value together again and again. */
  #needed = 1;

  /** All replies that are whole with these bytes. Throws ProtocolError. */
  push(chunk: Buffer): readonly Reply[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    return this.#length < this.#needed ? [] : this.#cut(Buffer.concat(this.#chunks, this.#length));
  }

  #cut(bytes: Buffer): readonly Reply[] {
    const replies: Reply[] = [];
    let next = readReply(bytes);
    for (; next.kind === "whole"; next = readReply(next.rest)) {
      replies.push(next.reply);
    }
    this.#chunks = [next.rest];
    this.#length = next.rest.length;
    this.#needed = next.needed;
    return replies;
  }
}

type Reading =
  | { readonly kind: "whole"; readonly reply: Reply; readonly rest: Buffer }
  | { readonly kind: "partial"; readonly rest: Buffer; readonly needed: number };

function readReply(bytes: Buffer): Reading {
  const end = bytes.indexOf(lineEnd);
  if (end > memcachedLimits.line || (end < 0 && bytes.length > memcachedLimits.line)) {
    throw new ProtocolError("the server answers with a line that memcached does not have");
  }
  if (end < 0) {
    return { kind: "partial", rest: bytes, needed: bytes.length + 1 };
  }
  const text = bytes.toString("latin1", 0, end);
  return text.startsWith("VALUE ")
    ? readValue(bytes, end + lineEnd.length, readHead(text))
    : { kind: "whole", reply: { kind: "line", text }, rest: bytes.subarray(end + lineEnd.length) };
}

/** One key was asked for, so that after its value comes the end of the answer. */
function readValue(bytes: Buffer, start: number, { key, length }: ValueHead): Reading {
  const end = start + length;
  const needed = end + valueEnd.length;
  if (bytes.length < needed) {
    return { kind: "partial", rest: bytes, needed };
  }
  if (!bytes.subarray(end, needed).equals(valueEnd)) {
    throw new ProtocolError("the server answers with a value that does not end where it should");
  }
  return {
    kind: "whole",
    reply: { kind: "value", key, data: bytes.subarray(start, end) },
    rest: bytes.subarray(needed),
  };
}

interface ValueHead {
  readonly key: string;
  readonly length: number;
}

/** Reads "VALUE <key> <flags> <length> [<cas>]". */
function readHead(line: string): ValueHead {
  const [, key, length] = /^VALUE (\S+) \d+ (\d+)(?: \d+)?$/.exec(line) ?? [];
  if (key === undefined || Number(length) > memcachedLimits.value) {
    throw new ProtocolError("the server answers with a value that cannot be read");
  }
  return { key, length: Number(length) };
}
