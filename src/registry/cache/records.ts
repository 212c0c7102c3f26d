/**
 * The records in the cache, in the JSON format of Flux v1, so that Flux and Weir can read each other's records. Pure.
 * See pkg/registry/cache and pkg/image of Flux.
 */
import {
  isJsonObject,
  type JsonObject,
  JsonReader,
  type JsonValue,
  memcachedLimits,
  stringifyGoJson,
  textAt,
} from "@weir/base";
import {
  emptyImageRef,
  type ImageInfo,
  type ImageLabels,
  parseImageRef,
  parseTimestamp,
  printImageRef,
  type Timestamp,
  unknownImageInfo,
} from "@weir/flux";
import { WireError } from "@weir/http";
import type { ImageEntry } from "../client.ts";
import { isTag } from "../wire/tag-list.ts";

/** What's known about a repository: the result of the last complete scan, and errors since then. */
export interface RepositoryRecord {
  readonly tags: readonly string[];
  /** By tag. A tag whose image is excluded or couldn't be read has no entry. */
  readonly images: ReadonlyMap<string, ImageInfo>;
  /** "" if nothing went wrong. */
  readonly lastError: string;
  /** undefined if the repository was never scanned completely. */
  readonly lastUpdate?: Timestamp;
}

/** The record of a repository that was never scanned. */
export const emptyRecord: RepositoryRecord = { tags: [], images: new Map(), lastError: "" };

/** How Go writes a time that isn't set. */
const noTime = "0001-01-01T00:00:00Z";

/** Prints the record of a repository. */
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

/** Parses the record of a repository; undefined for anything else. */
export function parseRepository(text: string): RepositoryRecord | undefined {
  return read(text, (json) => {
    const reader = new JsonReader(json);
    const lastUpdate = timeOf(reader.text("LastUpdate"));
    return {
      tags: reader.list("Tags", tagAt) ?? [],
      images: new Map([...(reader.map("Images", infoAt) ?? [])].filter(([tag, info]) => isOfTag(info, tag))),
      lastError: reader.text("LastError"),
      ...(lastUpdate === undefined ? {} : { lastUpdate }),
    };
  });
}

/** Prints the record of a tag. Only Weir writes the digest of an index; Flux ignores it. */
export function printEntry(entry: ImageEntry): string {
  if (entry.kind === "excluded") {
    return stringify({ ExcludedReason: entry.reason });
  }
  const { info, indexDigest } = entry;
  return stringify({ ...toJson(info), ...(indexDigest === undefined ? {} : { IndexDigest: indexDigest }) });
}

/** Parses the record of a tag; undefined for anything else, including the record of another tag. */
export function parseEntry(text: string, tag: string): ImageEntry | undefined {
  const entry = text.length > memcachedLimits.entry ? undefined : readEntry(text);
  return entry?.kind === "image" && !isOfTag(entry.info, tag) ? undefined : entry;
}

function readEntry(text: string): ImageEntry | undefined {
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

/** As in Flux v1, an image without a name stands for one that nothing is known about. */
function infoAt(value: JsonValue, path: string): ImageInfo {
  const reader = new JsonReader(value, path);
  if (reader.has("ID") && reader.text("ID") === "") {
    return unknownImageInfo(emptyImageRef);
  }
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

/** A record that's stored for one tag but describes another wasn't written by a scan. */
function isOfTag({ ref }: ImageInfo, tag: string): boolean {
  return ref.image === "" || ref.tag === tag;
}

/** A tag becomes part of paths, keys, and manifests. */
function tagAt(value: JsonValue, path: string): string {
  const tag = textAt(value, path);
  if (!isTag(tag)) {
    throw new WireError(`${path} isn't a valid tag`);
  }
  return tag;
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

/** Anybody may have written to the cache, so a record that can't be parsed counts as missing. */
function read<T>(text: string, decode: (json: JsonValue) => T): T | undefined {
  if (hasMoreThan(text, memcachedLimits.containers)) {
    return undefined;
  }
  try {
    const json: unknown = JSON.parse(text);
    return isJsonObject(json) ? decode(json) : undefined;
  } catch {
    return undefined;
  }
}

/** True if the text has more opening brackets of objects and lists than the limit. */
function hasMoreThan(text: string, most: number): boolean {
  let left = most;
  for (const bracket of "{[") {
    for (let at = text.indexOf(bracket); at >= 0 && left >= 0; at = text.indexOf(bracket, at + 1)) {
      left -= 1;
    }
  }
  return left < 0;
}
