/**
 * The part of memcached's text protocol that we use: get, set, and version. Pure: parses bytes into replies.
 * https://github.com/memcached/memcached/blob/master/doc/protocol.txt
 */

import { memcachedLimits } from "@weir/base";

/** A server's reply to a command. */
export type Reply =
  | { readonly kind: "value"; readonly key: string; readonly data: Buffer }
  /** END, STORED, VERSION …, or an error; without the line ending. */
  | { readonly kind: "line"; readonly text: string };

/** The command that reads one value. */
export function getCommand(key: string): Buffer {
  return Buffer.from(`get ${key}\r\n`);
}

/** A server doesn't speak memcached's protocol. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

/** The command that stores one value for the given number of seconds. */
export function setCommand(key: string, seconds: number, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`set ${key} 0 ${seconds} ${data.length}\r\n`), data, lineEnd]);
}

/** The command that checks whether a server responds. */
export const versionCommand = Buffer.from("version\r\n");

const lineEnd = Buffer.from("\r\n");
const valueEnd = Buffer.from("\r\nEND\r\n");

/** Splits the bytes of a connection into replies. */
export class ReplyReader {
  #chunks: Buffer[] = [];
  #length = 0;
  /** There's no complete reply with fewer bytes than this. Saves joining a large value again and again. */
  #needed = 1;

  /** Returns all replies that these bytes complete. Throws ProtocolError. */
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
    throw new ProtocolError("the server sent a line that isn't part of memcached's protocol");
  }
  if (end < 0) {
    return { kind: "partial", rest: bytes, needed: bytes.length + 1 };
  }
  const text = bytes.toString("latin1", 0, end);
  return text.startsWith("VALUE ")
    ? readValue(bytes, end + lineEnd.length, readHead(text))
    : { kind: "whole", reply: { kind: "line", text }, rest: bytes.subarray(end + lineEnd.length) };
}

/** Each command reads one key, so the end of the response follows its value. */
function readValue(bytes: Buffer, start: number, { key, length }: ValueHead): Reading {
  const end = start + length;
  const needed = end + valueEnd.length;
  if (bytes.length < needed) {
    return { kind: "partial", rest: bytes, needed };
  }
  if (!bytes.subarray(end, needed).equals(valueEnd)) {
    throw new ProtocolError("the server sent a value that doesn't have the length it announced");
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

/** Parses "VALUE <key> <flags> <length> [<cas>]". */
function readHead(line: string): ValueHead {
  const [, key, length] = /^VALUE (\S+) \d+ (\d+)(?: \d+)?$/.exec(line) ?? [];
  if (key === undefined || Number(length) > memcachedLimits.value) {
    throw new ProtocolError("the server sent a value with an invalid header");
  }
  return { key, length: Number(length) };
}
