import { MalformedError } from "./byte-reader.ts";

/** An armored part of a text, such as "PUBLIC KEY BLOCK". */
export interface ArmoredBlock {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** True for OpenPGP data that isn't armored. */
export function isBinary(bytes: Uint8Array): boolean {
  return ((bytes[0] ?? 0) & 0x80) !== 0;
}

const begin = /^-----BEGIN PGP ([A-Z0-9 ,/]+)-----\s*$/;
const end = /^-----END PGP [A-Z0-9 ,/]+-----\s*$/;
const checksum = /^=[A-Za-z0-9+/]{4}\s*$/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The armored blocks in a text. Whatever is between them is ignored.
 * @throws MalformedError if one is damaged.
 */
export function* readArmor(text: string): Generator<ArmoredBlock, void, undefined> {
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const type = begin.exec(lines[index] ?? "")?.[1];
    if (type === undefined) {
      continue;
    }
    const last = findEnd(lines, index);
    yield { type, bytes: decode(lines.slice(index + 1, last)) };
    index = last;
  }
}

function findEnd(lines: readonly string[], start: number): number {
  for (let index = start + 1; index < lines.length; index++) {
    if (end.test(lines[index] ?? "")) {
      return index;
    }
  }
  throw new MalformedError("its last line, -----END PGP …-----, is missing");
}

function decode(lines: readonly string[]): Uint8Array {
  const blank = lines.findIndex((line) => line.trim() === "");
  const content = lines.slice(blank + 1).filter((line) => line.trim() !== "");
  const sumAt = content.findIndex((line) => checksum.test(line));
  const body = (sumAt === -1 ? content : content.slice(0, sumAt)).map((line) => line.trim()).join("");
  if (!base64.test(body)) {
    throw new MalformedError("its armor is damaged: it has characters that aren't base64");
  }
  const bytes = Buffer.from(body, "base64");
  const sum = content[sumAt]?.trim().slice(1);
  if (sum !== undefined && sum !== checksumOf(bytes)) {
    throw new MalformedError("its armor is damaged: the checksum doesn't match");
  }
  return bytes;
}

/** Wraps bytes in armor as gpg writes it. */
export function armor(type: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return [
    `-----BEGIN PGP ${type}-----`,
    "",
    ...lines,
    `=${checksumOf(bytes)}`,
    `-----END PGP ${type}-----`,
    "",
  ].join("\n");
}

/** The CRC-24 of OpenPGP, in base64. */
function checksumOf(bytes: Uint8Array): string {
  let sum = 0xb704ce;
  for (const byte of bytes) {
    sum ^= byte << 16;
    for (let bit = 0; bit < 8; bit++) {
      sum <<= 1;
      if ((sum & 0x1000000) !== 0) {
        sum ^= 0x1864cfb;
      }
    }
  }
  return Buffer.from([(sum >> 16) & 0xff, (sum >> 8) & 0xff, sum & 0xff]).toString("base64");
}
