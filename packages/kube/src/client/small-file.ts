import { createReadStream } from "node:fs";

/**
 * The content of a file of at most so many bytes, which may also be a pipe. Rejects with the error of the file system,
 * or one that says that it is too large.
 */
export async function readSmallFile(path: string, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path, { end: most })) {
    if (chunk instanceof Buffer) {
      chunks.push(chunk);
      length += chunk.length;
    }
  }
  if (length > most) {
    throw new Error(`it is larger than ${most} bytes`);
  }
  return Buffer.concat(chunks);
}
