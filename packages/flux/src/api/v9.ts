import { type JsonObject, JsonReader, type JsonValue } from "@weir/base";
import type { Change } from "./api-server.ts";

/** A notification is invalid; the message is Flux v1's. */
export class ChangeError extends Error {
  override readonly name = "ChangeError";
}

/** v9.Change: {"Kind", "Source"}. */
export function encodeChange(change: Change): JsonObject {
  return change.kind === "git"
    ? { Kind: "git", Source: { URL: change.url, Branch: change.branch } }
    : { Kind: "image", Source: { Name: { Domain: change.name.domain, Image: change.name.image } } };
}

/**
 * Decodes the result of encodeChange. Throws ChangeError for an unknown kind or a missing source, or
 * JsonShapeError.
 */
export function decodeChange(value: JsonValue): Change {
  const reader = new JsonReader(value);
  const kind = reader.text("Kind");
  if (kind !== "git" && kind !== "image") {
    throw new ChangeError("unknown kind of change");
  }
  // As Flux v1: null is a valid, empty source.
  if (!reader.has("Source")) {
    throw new ChangeError("unexpected end of JSON input");
  }
  const source = reader.object("Source");
  if (kind === "git") {
    return { kind, url: source.text("URL"), branch: source.text("Branch") };
  }
  const name = source.object("Name");
  return { kind, name: { domain: name.text("Domain"), image: name.text("Image") } };
}
