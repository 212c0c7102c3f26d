/**
 * The records in the cache, in the JSON of Flux v1: either of the two reads what the other wrote. Pure.
 * pkg/registry/cache and pkg/image of Flux.
 */
import { stringifyGoJson } from "../../base/go-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { JsonReader, textAt } from "../../base/json-reader.ts";
import type { ImageInfo, ImageLabels } from "../../image/info.ts";
import { parseImageRef, printImageRef } from "../../image/ref.ts";
import { parseTimestamp, type Timestamp } from "../../image/timestamp.ts";
import type { ImageEntry } from "../client.ts";

/** What is known of a repository: what was read when it was last read in full, and what went wrong since. */
export interface RepositoryRecord {
  readonly tags: readonly string[];
  /** By tag; a tag whose image could not be read, or is excluded, has none. */
  readonly images: ReadonlyMap<string, ImageInfo>;
  /** "" where nothing went wrong. */
  readonly lastError: string;
  /** undefined where the repository was never read in full. */
  readonly lastUpdate?: Timestamp;
}

/** A repository that was never read. */
export const emptyRecord: RepositoryRecord = { tags: [], images: new Map(), lastError: "" };

/** How Go writes a time that is none. */
const noTime = "0001-01-01T00:00:00Z";

/** The text of a repository's record. */
export function printRepository(record: RepositoryRecord): string {
  const { tags, images, lastError, lastUpdate } = record;
  const isRead = lastUpdate !== undefined;
  const byTag = [...images].map(([tag, info]) => [tag, toJson(info)] as const);
  return stringify({
    Tags: isRead ? tags : null,
    Images: isRead ? Object.fromEntries(byTag.sort(([a], [b]) => (a < b ? -1 : 1))) : null,
    LastError: lastError,
    LastUpdate: lastUpdate ?? noTime,
  });
}

/** Reads a repository's record; undefined for anything else. */
export function parseRepository(text: string): RepositoryRecord | undefined {
  return read(text, (json) => {
    const reader = new JsonReader(json);
    const lastUpdate = timeOf(reader.text("LastUpdate"));
    return {
      tags: reader.list("Tags", textAt) ?? [],
      images: reader.map("Images", infoAt) ?? new Map<string, ImageInfo>(),
      lastError: reader.text("LastError"),
      ...(lastUpdate === undefined ? {} : { lastUpdate }),
    };
  });
}

/** The text of a tag's record. The digest of an index is Weir's own; Flux passes over it. */
export function printEntry(entry: ImageEntry): string {
  if (entry.kind === "excluded") {
    return stringify({ ExcludedReason: entry.reason });
  }
  const { info, indexDigest } = entry;
  return stringify({ ...toJson(info), ...(indexDigest === undefined ? {} : { IndexDigest: indexDigest }) });
}

/** Reads a tag's record; undefined for anything else. */
export function parseEntry(text: string): ImageEntry | undefined {
  return read(text, (json) => {
    const reader = new JsonReader(json);
    const reason = reader.text("ExcludedReason");
    if (reason !== "") {
      return { kind: "excluded", reason };
    }
    const indexDigest = reader.text("IndexDigest");
    return {
      kind: "image",
      info: infoAt(json, ""),
      ...(indexDigest === "" ? {} : { indexDigest }),
    };
  });
}

function toJson({ ref, digest, imageId, labels, createdAt, lastFetched }: ImageInfo): JsonObject {
  return {
    ID: printImageRef(ref),
    ...(digest === "" ? {} : { Digest: digest }),
    ...(imageId === "" ? {} : { ImageID: imageId }),
    Labels: labelsToJson(labels),
    ...(createdAt === undefined ? {} : { CreatedAt: createdAt }),
    ...(lastFetched === undefined ? {} : { LastFetched: lastFetched }),
  };
}

function labelsToJson({ buildDate, created }: ImageLabels): JsonObject {
  return {
    ...(buildDate === undefined ? {} : { "org.label-schema.build-date": buildDate }),
    ...(created === undefined ? {} : { "org.opencontainers.image.created": created }),
  };
}

function infoAt(value: JsonValue, path: string): ImageInfo {
  const reader = new JsonReader(value, path);
  const labels = reader.object("Labels");
  return {
    ref: parseImageRef(reader.text("ID")),
    digest: reader.text("Digest"),
    imageId: reader.text("ImageID"),
    labels: {
      ...timeAs("buildDate", labels.text("org.label-schema.build-date")),
      ...timeAs("created", labels.text("org.opencontainers.image.created")),
    },
    ...timeAs("createdAt", reader.text("CreatedAt")),
    ...timeAs("lastFetched", reader.text("LastFetched")),
  };
}

function timeAs<K extends string>(key: K, text: string): { readonly [key in K]?: Timestamp } {
  const time = timeOf(text);
  return time === undefined ? {} : ({ [key]: time } as { readonly [key in K]?: Timestamp });
}

function timeOf(text: string): Timestamp | undefined {
  return text === noTime ? undefined : parseTimestamp(text);
}

function stringify(value: JsonObject): string {
  return stringifyGoJson(value, { sortKeys: false });
}

/** What is in a cache was written by anybody: what makes no sense counts as not there. */
function read<T>(text: string, decode: (json: JsonValue) => T): T | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isJsonObject(json) ? decode(json) : undefined;
  } catch {
    return undefined;
  }
}
