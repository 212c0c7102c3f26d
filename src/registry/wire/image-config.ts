/** What the configuration of an image says, or the newest layer of a schema 1 manifest. Pure. */
import type { JsonObject } from "@weir/base";
import { type ImageLabels, parseTimestamp, type Timestamp } from "@weir/flux";
import { objectIn, parseJsonObject, textIn, WireError } from "@weir/http";

/** The parts of a configuration that we use. */
export interface ImageConfig {
  readonly createdAt?: Timestamp;
  readonly labels: ImageLabels;
  /** The labels whose time can't be parsed; they're left out. */
  readonly badLabels: readonly string[];
}

const buildDate = "org.label-schema.build-date";
const created = "org.opencontainers.image.created";

/**
 * Parses the configuration of a Docker image; undefined if it's invalid. As in Flux v1, labels come from
 * "container_config", which describes how the image was built, and not from "config".
 */
export function parseDockerConfiguration(bytes: Uint8Array): ImageConfig | undefined {
  const config = readableConfig(bytes);
  return config && readConfig(config, labelsIn(config, "container_config"));
}

/**
 * Parses the configuration of an OCI image. Annotations of its manifest are used if a label is missing. Undefined if
 * it's invalid.
 */
export function parseOciConfiguration(bytes: Uint8Array, annotations: JsonObject): ImageConfig | undefined {
  const config = readableConfig(bytes);
  return config && readConfig(config, { ...annotations, ...labelsIn(config, "config") });
}

/** Parses the newest layer of a schema 1 manifest, which also contains the image's name. Throws WireError. */
export function parseVersion1Layer(text: string): ImageConfig & { readonly id: string } {
  const layer = parseJsonObject(text, "the newest layer of the manifest");
  if (!isReadable(layer)) {
    throw new WireError("the newest layer of the manifest has no valid image configuration");
  }
  return { id: textIn(layer, "id"), ...readConfig(layer, labelsIn(layer, "config")) };
}

function readableConfig(bytes: Uint8Array): JsonObject | undefined {
  try {
    const config = parseJsonObject(bytes, "the configuration");
    return isReadable(config) ? config : undefined;
  } catch (error) {
    if (error instanceof WireError) {
      return undefined;
    }
    throw error;
  }
}

/** False if a member that Flux v1 reads has the wrong type. */
function isReadable(config: JsonObject): boolean {
  const [created, ...texts] = ["created", "architecture", "os"].map((key) => config[key] ?? undefined);
  return (
    (created === undefined || (typeof created === "string" && parseTimestamp(created) !== undefined)) &&
    texts.every((text) => text === undefined || typeof text === "string")
  );
}

function labelsIn(config: JsonObject, key: string): JsonObject {
  const holder = objectIn(config, key);
  // Go's JSON package ignores the case of keys, and both spellings are in use.
  return objectIn(holder, "Labels" in holder ? "Labels" : "labels");
}

function readConfig(config: JsonObject, labels: JsonObject): ImageConfig {
  const createdAt = readTime(textIn(config, "created"));
  const [date, time] = [textIn(labels, buildDate), textIn(labels, created)];
  const [readDate, readCreated] = [readTime(date), readTime(time)];
  return {
    ...(createdAt === undefined ? {} : { createdAt }),
    labels: {
      ...(readDate === undefined ? {} : { buildDate: readDate }),
      ...(readCreated === undefined ? {} : { created: readCreated }),
    },
    badLabels: [
      ...(date !== "" && parseTimestamp(date) === undefined ? [buildDate] : []),
      ...(time !== "" && parseTimestamp(time) === undefined ? [created] : []),
    ],
  };
}

/** Go's zero time, which some builders write, means that the time isn't known. */
const zeroTime = parseTimestamp("0001-01-01T00:00:00Z");

function readTime(text: string): Timestamp | undefined {
  const time = parseTimestamp(text);
  return time === zeroTime ? undefined : time;
}
