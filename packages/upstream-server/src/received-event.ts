import { type Decode, isJsonObject, JsonReader, type JsonValue, textAt } from "@weir/base";
import {
  decodeUpdateResult,
  decodeUpdateSpec,
  type EventCommit,
  type EventDetail,
  type FluxEvent,
  resourceIdAt,
  type SyncIncludes,
  type UpdateSpec,
} from "@weir/flux";

/** An event as a daemon sent it; newer or older daemons may send unknown types. */
export interface ReceivedEvent extends Omit<FluxEvent, "detail"> {
  readonly id: number;
  readonly type: string;
  /** The sender's message, which replaces the one derived from the payload; "" if there is none. */
  readonly message: string;
  /** The payload; undefined for unknown types. */
  readonly detail: EventDetail | undefined;
  /** The payload as received. */
  readonly metadata: JsonValue;
}

/** An event is invalid; the message says why. */
export class EventError extends Error {
  override readonly name = "EventError";
}

/** Decodes an event of any version. Throws EventError, or the errors of spec decoders. */
export function decodeReceivedEvent(value: JsonValue): ReceivedEvent {
  const reader = new JsonReader(value);
  const type = reader.text("type");
  if (type === "") {
    throw new EventError("Event type is empty");
  }
  return {
    id: reader.integer("id"),
    workloads: reader.list("serviceIDs", resourceIdAt) ?? [],
    type,
    startedAt: timeAt(reader, "startedAt"),
    endedAt: timeAt(reader, "endedAt"),
    logLevel: levels.find((level) => level === reader.text("logLevel")) ?? "info",
    message: reader.text("message"),
    detail: decodeDetail(type, reader),
    metadata: reader.value("metadata", (metadata) => metadata) ?? null,
  };
}

const levels: readonly FluxEvent["logLevel"][] = ["debug", "info", "warn", "error"];

function timeAt(reader: JsonReader, key: string): Date {
  const time = new Date(reader.text(key));
  if (Number.isNaN(time.getTime())) {
    throw new EventError(`${key} is not a time`);
  }
  return time;
}

function decodeDetail(type: string, reader: JsonReader): EventDetail | undefined {
  const metadata = isKnown(type) ? reader.object("metadata") : undefined;
  if (metadata === undefined) {
    return undefined;
  }
  switch (type) {
    case "commit":
      return {
        type,
        revision: metadata.text("revision"),
        spec: metadata.value("spec", decodeUpdateSpec) ?? null,
        result: metadata.value("result", decodeUpdateResult) ?? null,
      };
    case "sync":
      return decodeSync(metadata);
    case "release":
      return { type, ...decodeOutcome(metadata), spec: decodeRelease(metadata) };
    case "autorelease":
      return { type, ...decodeOutcome(metadata), spec: specOf("auto", metadata, "spec") };
    default:
      return undefined;
  }
}

function isKnown(type: string): boolean {
  return ["commit", "sync", "release", "autorelease"].includes(type);
}

/** Old daemons only send revisions. */
function decodeSync(metadata: JsonReader): EventDetail {
  const revisions = metadata.list("revisions", textAt) ?? [];
  const old: readonly EventCommit[] = revisions.map((revision) => ({ revision, message: "" }));
  return {
    type: "sync",
    commits: metadata.list("commits", decodeCommit) ?? old,
    includes: decodeIncludes(metadata),
    errors:
      metadata.list("errors", (value, path) => {
        const error = new JsonReader(value, path);
        return {
          id: resourceIdAt(error.text("ID"), `${path}.ID`),
          source: error.text("Path"),
          error: error.text("Error"),
        };
      }) ?? [],
    initialSync: metadata.flag("initialSync"),
  };
}

const decodeCommit: Decode<EventCommit> = (value, path) => {
  const commit = new JsonReader(value, path);
  return { revision: commit.text("revision"), message: commit.text("message") };
};

const inclusions: readonly (keyof SyncIncludes)[] = ["release", "autorelease", "update_policy", "other"];

function decodeIncludes(metadata: JsonReader): SyncIncludes {
  const includes = metadata.object("includes");
  return Object.fromEntries(
    inclusions.filter((key) => includes.flag(key)).map((key) => [key, true] as const),
  );
}

function decodeOutcome(
  metadata: JsonReader,
): Pick<Extract<EventDetail, { type: "release" }>, "revision" | "result" | "error"> {
  const error = metadata.text("error");
  return {
    revision: metadata.text("revision"),
    result: metadata.value("result", decodeUpdateResult) ?? new Map(),
    ...(error === "" ? {} : { error }),
  };
}

/** Old daemons send the spec of an image release without its type. */
function decodeRelease(metadata: JsonReader): Extract<UpdateSpec, { type: "image" | "containers" }> {
  const spec = metadata.object("spec");
  switch (spec.text("Type")) {
    case "":
      return specOf("image", metadata, "spec");
    case "releaseContainersSpecType":
      return specOf("containers", spec, "ReleaseContainersSpec", metadata);
    default:
      return specOf("image", spec, "ReleaseImageSpec", metadata);
  }
}

/** Decodes a field as the body of an update spec, combined with its cause. */
function specOf<T extends UpdateSpec["type"]>(
  type: T,
  reader: JsonReader,
  key: string,
  metadata: JsonReader = reader,
): Extract<UpdateSpec, { type: T }> {
  const spec = reader.value(key, (value) => value) ?? {};
  const cause = metadata.value("cause", (value) => value) ?? {};
  const decoded = decodeUpdateSpec({ type, cause: isJsonObject(cause) ? cause : {}, spec });
  // The decoder returns the same type that was passed in.
  return decoded as Extract<UpdateSpec, { type: T }>;
}
