import { list, record, text, word } from "./codec.ts";
import type { ImageScan } from "./inspection.ts";

/** In the order of the query. Decoding throws JsonShapeError. */
export const { encode: encodeImageScans, decode: decodeImageScans } = list(
  record<ImageScan>({
    image: text,
    state: word(["scanned", "waiting", "stale", "failed", "off"], "scanned"),
    error: text,
  }),
);
