import type { Writable } from "node:stream";

/** How an endless stream ended. */
export interface StreamEnd {
  readonly mebibytes: number;
  /** True if the other side closed it, false if we gave up. */
  readonly refused: boolean;
}

/** Writes the same bytes as fast as possible, until the other side closes or `seconds` have passed. */
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
