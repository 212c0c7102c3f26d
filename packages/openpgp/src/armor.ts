import { armor, enums, unarmor } from "openpgp";
import { MalformedError } from "./malformed-error.ts";

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
const base64 = /^[A-Za-z0-9+/=\s]*$/;

/**
 * The armored blocks in a text. Whatever is between them is ignored. openpgp.js decodes them, but doesn't look for
 * several, and doesn't check checksums as gpg does.
 * @throws MalformedError if one is damaged.
 */
export async function* readArmor(text: string): AsyncGenerator<ArmoredBlock, void, undefined> {
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const type = begin.exec(lines[index] ?? "")?.[1];
    if (type === undefined) {
      continue;
    }
    const last = findEnd(lines, index);
    yield { type, bytes: await decode(lines.slice(index + 1, last)) };
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

async function decode(lines: readonly string[]): Promise<Uint8Array> {
  const blank = lines.findIndex((line) => line.trim() === "");
  const content = lines.slice(blank + 1);
  if (!content.every((line) => base64.test(line))) {
    throw new MalformedError("its armor is damaged: it has characters that aren't base64");
  }
  const bytes = await decodeBody(content);
  const sum = content.findLast((line) => checksum.test(line))?.trim();
  if (sum !== undefined && sum !== checksumOf(bytes)) {
    throw new MalformedError("its armor is damaged: the checksum doesn't match");
  }
  return bytes;
}

/** As a "message": openpgp.js knows fewer types than gpg. */
async function decodeBody(content: readonly string[]): Promise<Uint8Array> {
  const block = ["-----BEGIN PGP MESSAGE-----", "", ...content, "-----END PGP MESSAGE-----", ""];
  try {
    return bytesIn(await unarmor(block.join("\n")));
  } catch (error) {
    throw new MalformedError("its armor is damaged", { cause: error });
  }
}

/** What openpgp.js returns where it declares bytes or a stream. */
export function bytesIn({ data }: { readonly data: unknown }): Uint8Array {
  if (!(data instanceof Uint8Array)) {
    throw new TypeError("openpgp.js returned a stream");
  }
  return data;
}

function checksumOf(bytes: Uint8Array): string | undefined {
  const armored = armor(enums.armor.message, bytes, undefined, undefined, undefined, true);
  return armored.split("\n").findLast((line) => checksum.test(line));
}
