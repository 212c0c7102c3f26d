import { open } from "node:fs/promises";

/** Where a header starts, and what it has, in bytes; see Microsoft's "PE Format". */
const peOffsetAt = 0x3c;
const optionalHeaderAt = 24;
const pe32Plus = 0x20b;
const signatureEntryAt = 112 + 4 * 8;
const headersSize = 4096;

/**
 * Makes an executable for Windows unsigned, in place. The one of Node.js is signed by its makers, which isn't true any
 * more of a program that was put into it. Throws if it isn't a 64-bit executable for Windows.
 */
export async function dropWindowsSignature(path: string): Promise<void> {
  await using file = await open(path, "r+");
  const headers = Buffer.alloc(headersSize);
  await file.read(headers, 0, headersSize, 0);
  await file.write(Buffer.alloc(8), 0, 8, signatureEntryOf(headers));
}

/** Where the headers of an executable say where its signature is: an offset and a size of four bytes each. */
export function signatureEntryOf(headers: Buffer): number {
  const start = headers.readUInt32LE(peOffsetAt);
  const optional = start + optionalHeaderAt;
  const isPe = headers.subarray(start, start + 4).equals(Buffer.from("PE\0\0"));
  if (!isPe || headers.readUInt16LE(optional) !== pe32Plus) {
    throw new Error("not a 64-bit executable for Windows");
  }
  return optional + signatureEntryAt;
}
