import { type JsonObject, JsonReader, type JsonValue } from "@weir/base";
import type { ImageInfo, ImageLabels } from "./info.ts";
import { parseImageRefLoosely, printImageRef } from "./ref.ts";
import { parseTimestamp, type Timestamp } from "./timestamp.ts";

const buildDateLabel = "org.label-schema.build-date";
const createdLabel = "org.opencontainers.image.created";

/** image.Info: {"ID", "Digest"?, "ImageID"?, "Labels", "CreatedAt"?, "LastFetched"?}. */
export function encodeImageInfo({
  ref,
  digest,
  imageId,
  labels,
  createdAt,
  lastFetched,
}: ImageInfo): JsonObject {
  return {
    ID: printImageRef(ref),
    ...(digest === "" ? {} : { Digest: digest }),
    ...(imageId === "" ? {} : { ImageID: imageId }),
    Labels: encodeLabels(labels),
    ...(createdAt === undefined ? {} : { CreatedAt: createdAt }),
    ...(lastFetched === undefined ? {} : { LastFetched: lastFetched }),
  };
}

/** Decodes the output of encodeImageInfo. As in Flux v1, a name that can't be parsed is kept as far as possible. */
export function decodeImageInfo(value: JsonValue, path = ""): ImageInfo {
  const reader = new JsonReader(value, path);
  const createdAt = timeOf(reader, "CreatedAt");
  const lastFetched = timeOf(reader, "LastFetched");
  return {
    ref: parseImageRefLoosely(reader.text("ID")),
    digest: reader.text("Digest"),
    imageId: reader.text("ImageID"),
    labels: decodeLabels(reader.object("Labels")),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(lastFetched === undefined ? {} : { lastFetched }),
  };
}

function encodeLabels({ buildDate, created }: ImageLabels): JsonObject {
  return {
    ...(buildDate === undefined ? {} : { [buildDateLabel]: buildDate }),
    ...(created === undefined ? {} : { [createdLabel]: created }),
  };
}

function decodeLabels(reader: JsonReader): ImageLabels {
  const buildDate = timeOf(reader, buildDateLabel);
  const created = timeOf(reader, createdLabel);
  return {
    ...(buildDate === undefined ? {} : { buildDate }),
    ...(created === undefined ? {} : { created }),
  };
}

function timeOf(reader: JsonReader, key: string): Timestamp | undefined {
  return parseTimestamp(reader.text(key));
}
