import type { JsonObject } from "@weir/base";
import type { ResourcePreview } from "../cluster/preview.ts";
import { type Codec, list, object, record, resource, text, word } from "./codec.ts";
import type { DiffReport } from "./inspection.ts";

const objectOrNull: Codec<JsonObject | null> = {
  missing: null,
  encode: (value) => value,
  decode: (value, path) => (value === null ? null : object.decode(value, path)),
};

/** As an object with the fields of a DiffReport. Decoding throws JsonShapeError. */
export const { encode: encodeDiff, decode: decodeDiff } = record<DiffReport>({
  revision: text,
  changes: list(
    record<ResourcePreview>({
      id: resource,
      apiVersion: text,
      source: text,
      action: word(["create", "change", "delete", "run", "leave"], "leave"),
      before: objectOrNull,
      after: objectOrNull,
      error: text,
      reason: text,
    }),
  ),
});
