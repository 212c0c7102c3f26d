import { createHash } from "node:crypto";

const machO64 = 0xfeedfacf;
const loadCodeSignature = 0x1d;
const headerSize = 32;
const embeddedSignature = 0xfade0cc0;
const codeDirectory = 0xfade0c02;
const sha256 = 2;

/**
 * The number of pages of a Mach-O executable, for one 64-bit processor, that don't have the hash that its signature
 * says; so 0 if macOS would run it. Throws if there is no signature, or a part of the file that it doesn't cover.
 */
export function invalidPages(file: Buffer): number {
  const { offset, size } = findSignature(file);
  const directory = findCodeDirectory(file.subarray(offset, offset + size));
  const hashes = directory.readUInt32BE(16);
  const slots = directory.readUInt32BE(28);
  const limit = directory.readUInt32BE(32);
  const hashSize = directory.readUInt8(36);
  const pageSize = 1 << directory.readUInt8(39);
  if (directory.readUInt8(37) !== sha256 || limit !== offset || slots !== Math.ceil(limit / pageSize)) {
    throw new Error("the signature isn't made with SHA-256, or doesn't cover the whole file");
  }
  const pages = Array.from({ length: slots }, (_, page) => page);
  return pages.filter((page) => {
    const start = page * pageSize;
    const found = createHash("sha256").update(file.subarray(start, Math.min(start + pageSize, limit)));
    const said = directory.subarray(hashes + page * hashSize, hashes + (page + 1) * hashSize);
    return !found.digest().equals(said);
  }).length;
}

/** Load commands follow the header; each starts with its kind and size. */
function findSignature(file: Buffer): { readonly offset: number; readonly size: number } {
  if (file.readUInt32LE(0) !== machO64) {
    throw new Error("not a Mach-O executable of 64 bits");
  }
  const count = file.readUInt32LE(16);
  for (let command = 0, at = headerSize; command < count; command += 1, at += file.readUInt32LE(at + 4)) {
    if (file.readUInt32LE(at) === loadCodeSignature) {
      return { offset: file.readUInt32LE(at + 8), size: file.readUInt32LE(at + 12) };
    }
  }
  throw new Error("the executable isn't signed");
}

/** The signature is a list of blobs: a kind, a size, a count, and for each blob its kind and offset. */
function findCodeDirectory(signature: Buffer): Buffer {
  if (signature.readUInt32BE(0) !== embeddedSignature) {
    throw new Error("the signature has an unknown format");
  }
  const count = signature.readUInt32BE(8);
  const offsets = Array.from({ length: count }, (_, index) => signature.readUInt32BE(12 + index * 8 + 4));
  const offset = offsets.find((each) => signature.readUInt32BE(each) === codeDirectory);
  if (offset === undefined) {
    throw new Error("the signature has no code directory");
  }
  return signature.subarray(offset);
}
