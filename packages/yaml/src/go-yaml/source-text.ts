import { isUtf8 } from "node:buffer";
import { widthOf } from "./utf8-width.ts";

/** The text of a file up to the first invalid character, and what's wrong with the rest. */
export interface SourceText {
  readonly text: string;
  /** Why the text ends here, although the file continues. */
  readonly fault: string | undefined;
}

/** The block size of yaml.v2's reader; an error is reported when its block is needed. */
const pieceSize = 512;

/** The characters that YAML doesn't allow in files: control characters, and two noncharacters. */
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** Decodes a file from UTF-8, or from UTF-16 if it has a byte order mark for that. */
export function decodeSource(bytes: Uint8Array): SourceText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return decodeUtf16(bytes.subarray(2), "utf-16le");
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return decodeUtf16(bytes.subarray(2), "utf-16be");
  }
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return decodeUtf8(hasMark ? bytes.subarray(3) : bytes);
}

/** Checks a text that needn't be decoded, such as one that we printed. */
export function checkSource(text: string): SourceText {
  const at = text.search(forbidden);
  return at < 0
    ? { text, fault: undefined }
    : { text: text.slice(0, at - (at % pieceSize)), fault: "control characters are not allowed" };
}

function decodeUtf8(bytes: Uint8Array): SourceText {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  if (isUtf8(bytes)) {
    const text = decoder.decode(bytes);
    const at = text.search(forbidden);
    return at < 0
      ? { text, fault: undefined }
      : cutAt(bytes, Buffer.byteLength(text.slice(0, at)), "control characters are not allowed");
  }
  const { offset, problem } = utf8Fault(bytes);
  const sound = decoder.decode(bytes.subarray(0, offset));
  const at = sound.search(forbidden);
  return at < 0
    ? cutAt(bytes, offset, problem)
    : cutAt(bytes, Buffer.byteLength(sound.slice(0, at)), "control characters are not allowed");
}

/** The blocks before the one with the error. */
function cutAt(bytes: Uint8Array, offset: number, fault: string): SourceText {
  let end = offset - (offset % pieceSize);
  while (end > 0 && isTrailing(bytes[end])) {
    end -= 1;
  }
  return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, end)), fault };
}

/** How many bytes to check for validity at a time. */
const soundPiece = 64 * 1024;

/**
 * The length of the valid UTF-8 at the start, in whole characters: everything except the last block before the error.
 */
function soundStart(bytes: Uint8Array): number {
  for (let start = 0; ; ) {
    let end = Math.min(start + soundPiece, bytes.length);
    while (end > start && isTrailing(bytes[end])) {
      end -= 1;
    }
    if (end === start || !isUtf8(bytes.subarray(start, end))) {
      return start;
    }
    start = end;
  }
}

function isTrailing(octet = 0): boolean {
  return (octet & 0xc0) === 0x80;
}

/** The first octets that aren't a valid character. */
function utf8Fault(bytes: Uint8Array): { readonly offset: number; readonly problem: string } {
  for (let offset = soundStart(bytes); offset < bytes.length; ) {
    const width = widthOf(bytes[offset] ?? 0);
    if (width === 0) {
      return { offset, problem: "invalid leading UTF-8 octet" };
    }
    if (offset + width > bytes.length) {
      return { offset, problem: "incomplete UTF-8 octet sequence" };
    }
    const problem = sequenceFault(bytes.subarray(offset, offset + width));
    if (problem !== undefined) {
      return { offset, problem };
    }
    offset += width;
  }
  return { offset: bytes.length, problem: "invalid Unicode character" };
}

function sequenceFault(octets: Uint8Array): string | undefined {
  if (!octets.subarray(1).every(isTrailing)) {
    return "invalid trailing UTF-8 octet";
  }
  if (isUtf8(octets)) {
    return undefined;
  }
  const [first = 0, second = 0] = octets;
  const isOverlong =
    (octets.length === 2 && first < 0xc2) ||
    (octets.length === 3 && first === 0xe0 && second < 0xa0) ||
    (octets.length === 4 && first === 0xf0 && second < 0x90);
  return isOverlong ? "invalid length of a UTF-8 sequence" : "invalid Unicode character";
}

function decodeUtf16(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): SourceText {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  if (bytes.length % 2 !== 0) {
    return { text: "", fault: "incomplete UTF-16 character" };
  }
  const { text: sound, fault } = checkSource(text);
  return text.includes("\ufffd") && fault === undefined && !isWellPaired(bytes, encoding)
    ? { text: "", fault: "unexpected low surrogate area" }
    : { text: sound, fault };
}

function isWellPaired(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
