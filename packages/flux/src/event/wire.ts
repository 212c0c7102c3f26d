import { type JsonObject, printGoTime } from "@weir/base";
import {
  encodeAutomated,
  encodeCause,
  encodeReleaseContainersSpec,
  encodeReleaseImageSpec,
  encodeUpdateResult,
  encodeUpdateSpec,
} from "../update/wire.ts";
import type { EventDetail, FluxEvent, SyncIncludes } from "./event.ts";

type DetailOf<Type extends EventDetail["type"]> = Extract<EventDetail, { type: Type }>;

/** An event as JSON, as Flux v1 posts it to an upstream; keys in the order of its structs. */
export function encodeEvent(event: FluxEvent): JsonObject {
  return {
    id: 0,
    serviceIDs: event.workloads,
    type: event.detail.type,
    startedAt: printGoTime(event.startedAt),
    endedAt: printGoTime(event.endedAt),
    logLevel: event.logLevel,
    metadata: encodeDetail(event.detail),
  };
}

function encodeDetail(detail: EventDetail): JsonObject {
  switch (detail.type) {
    case "commit":
      return encodeCommit(detail);
    case "sync":
      return encodeSync(detail);
    case "release":
      return {
        ...encodeRelease(detail),
        spec: encodeReleaseSpec(detail.spec),
        cause: encodeCause(detail.spec.cause),
      };
    case "autorelease":
      return { ...encodeRelease(detail), spec: encodeAutomated(detail.spec.spec) };
  }
}

function encodeCommit({ revision, spec, result }: DetailOf<"commit">): JsonObject {
  return {
    ...(revision === "" ? {} : { revision }),
    spec: spec && encodeUpdateSpec(spec),
    ...(result === null || result.size === 0 ? {} : { result: encodeUpdateResult(result) }),
  };
}

function encodeSync({ commits, includes, errors, initialSync }: DetailOf<"sync">): JsonObject {
  return {
    ...(commits.length === 0
      ? {}
      : { commits: commits.map(({ revision, message }) => ({ revision, message })) }),
    ...encodeIncludes(includes),
    ...(errors.length === 0
      ? {}
      : { errors: errors.map(({ id, source, error }) => ({ ID: id, Path: source, Error: error })) }),
    ...(initialSync ? { initialSync } : {}),
  };
}

function encodeIncludes(includes: SyncIncludes): JsonObject {
  const entries = Object.entries(includes).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? {} : { includes: Object.fromEntries(entries) };
}

function encodeRelease({ revision, result, error }: DetailOf<"release" | "autorelease">): JsonObject {
  return {
    Revision: revision,
    result: encodeUpdateResult(result),
    ...(error === undefined || error === "" ? {} : { error }),
  };
}

function encodeReleaseSpec(spec: DetailOf<"release">["spec"]): JsonObject {
  return spec.type === "image"
    ? {
        Type: "releaseImageSpecType",
        ReleaseImageSpec: encodeReleaseImageSpec(spec.spec),
        ReleaseContainersSpec: null,
      }
    : {
        Type: "releaseContainersSpecType",
        ReleaseImageSpec: null,
        ReleaseContainersSpec: encodeReleaseContainersSpec(spec.spec),
      };
}
