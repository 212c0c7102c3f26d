import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { ApiResource } from "../api-resource.ts";
import { isStatusBody, type KubeApiError } from "../api-status.ts";
import { apiVersionOf } from "../gvk.ts";
import type { KubeObject } from "../object.ts";
import { leanMetadata } from "./lean-object.ts";
import { statusError } from "./status.ts";

/** The events of a list-watch, in order. */
export type ListWatchEvent<T = KubeObject> =
  /** A list begins: its content isn't older than this moment. */
  | { readonly kind: "listing" }
  /** The list is complete: these are all objects, as of that resource version. */
  | { readonly kind: "listed"; readonly objects: readonly T[]; readonly resourceVersion: string }
  | { readonly kind: "changed"; readonly object: T }
  | { readonly kind: "deleted"; readonly object: T }
  /**
   * The server couldn't be reached, or its response was invalid; the next attempt follows after this time.
   */
  | { readonly kind: "failed"; readonly error: Error; readonly waitMs: number };

/** A decoded line of a watch. */
export type WatchLine =
  | { readonly kind: "changed" | "deleted"; readonly object: KubeObject; readonly resourceVersion: string }
  | { readonly kind: "bookmark"; readonly resourceVersion: string }
  | { readonly kind: "error"; readonly error: KubeApiError };

/** A page of a list. */
export interface ListPage<T = KubeObject> {
  readonly objects: readonly T[];
  readonly resourceVersion: string;
  /** The token of the next page; "" after the last one. */
  readonly next: string;
}

/** A response of the server is invalid; the message never quotes it. */
export class MalformedAnswerError extends Error {
  override readonly name = "MalformedAnswerError";
}

/** Reads a page of a list, and keeps what `take` returns for each object. Throws MalformedAnswerError. */
export function readPage<T>(
  answer: unknown,
  resource: ApiResource,
  take: (object: KubeObject) => T,
): ListPage<T> {
  const metadata = isJsonObject(answer) ? answer["metadata"] : undefined;
  const items = isJsonObject(answer) ? (answer["items"] ?? []) : undefined;
  if (!isJsonObject(metadata) || !isJsonArray(items)) {
    throw new MalformedAnswerError(`the response for ${resource.resource} is not a list`);
  }
  return {
    objects: items.map((item) => take(readObject(item, resource))),
    resourceVersion: text(metadata["resourceVersion"]),
    next: text(metadata["continue"]),
  };
}

/** Reads a line of a watch. Throws MalformedAnswerError if it isn't a complete watch event. */
export function readWatchLine(line: string, resource: ApiResource): WatchLine {
  const event = parse(line);
  const object = isJsonObject(event) ? event["object"] : undefined;
  if (!isJsonObject(event) || !isJsonObject(object)) {
    throw malformed(resource);
  }
  switch (event["type"]) {
    case "ADDED":
    case "MODIFIED":
      return {
        kind: "changed",
        object: readObject(object, resource),
        resourceVersion: versionIn(object, resource),
      };
    case "DELETED":
      return {
        kind: "deleted",
        object: readObject(object, resource),
        resourceVersion: versionIn(object, resource),
      };
    case "BOOKMARK":
      return { kind: "bookmark", resourceVersion: versionIn(object, resource) };
    case "ERROR":
      return { kind: "error", error: statusError(isStatusBody(object) ? object : {}) };
    default:
      throw malformed(resource);
  }
}

/**
 * An object as it's stored, with the kind and version that list items omit and that metadata-only responses
 * replace.
 */
function readObject(value: JsonValue, resource: ApiResource): KubeObject {
  const metadata = isJsonObject(value) ? value["metadata"] : undefined;
  if (!isJsonObject(value) || !isJsonObject(metadata) || text(metadata["name"]) === "") {
    throw malformed(resource);
  }
  const apiVersion = apiVersionOf(resource.group, resource.version);
  return { ...value, apiVersion, kind: resource.kind, metadata: leanMetadata(metadata) };
}

function versionIn(object: JsonObject, resource: ApiResource): string {
  const metadata = object["metadata"];
  const version = isJsonObject(metadata) ? text(metadata["resourceVersion"]) : "";
  if (version === "") {
    throw malformed(resource);
  }
  return version;
}

function malformed(resource: ApiResource): MalformedAnswerError {
  return new MalformedAnswerError(`the watch of ${resource.resource} sent an invalid event`);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
