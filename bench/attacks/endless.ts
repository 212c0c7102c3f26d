import type { Writable } from "node:stream";

/** What became of a stream that would never have ended by itself. */
export interface StreamEnd {
  readonly mebibytes: number;
  /** True where the other side closed it, false where we gave up. */
  readonly refused: boolean;
}

/** Writes the same bytes as fast as they are taken, until the other side closes or `seconds` are over. */
export function writeEndlessly(stream: Writable, bytes: Uint8Array, seconds: number): Promise<StreamEnd> {
  const { promise, resolve } = Promise.withResolvers<StreamEnd>();
  let written = 0;
  const end = (refused: boolean): void => {
    clearTimeout(timer);
    resolve({ mebibytes: written / 2 ** 20, refused });
    stream.destroy();
  };
  const timer = setTimeout(() => end(false), seconds * 1000);
  const write = (): void => {
    while (!stream.destroyed) {
      written += bytes.length;
      if (!stream.write(bytes)) {
        return;
      }
    }
  };
  stream.on("drain", write);
  stream.on("error", () => end(true));
  stream.on("close", () => end(true));
  write();
  return promise;
}
