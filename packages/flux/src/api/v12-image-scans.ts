import { type JsonObject, JsonReader, type JsonValue, listAt } from "@weir/base";
import type { ImageScan } from "./inspection.ts";

/** [{"image", "state", "error"}], in the order of the query. */
export function encodeImageScans(scans: readonly ImageScan[]): readonly JsonObject[] {
  return scans.map(({ image, state, error }) => ({ image, state, error }));
}

/** Decodes the result of encodeImageScans. Throws JsonShapeError. */
export function decodeImageScans(value: JsonValue): readonly ImageScan[] {
  return listAt(value, "", decodeImageScan);
}

const states: readonly ImageScan["state"][] = ["scanned", "waiting", "stale", "failed", "off"];

function decodeImageScan(value: JsonValue, path: string): ImageScan {
  const reader = new JsonReader(value, path);
  return {
    image: reader.text("image"),
    state: states.find((state) => state === reader.text("state")) ?? "scanned",
    error: reader.text("error"),
  };
}
