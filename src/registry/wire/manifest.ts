/**
 * Manifests in all formats: takes bytes, and returns what to read next. Pure.
 * https://distribution.github.io/distribution/spec/manifest-v2-2/
 * https://github.com/opencontainers/image-spec/blob/main/manifest.md
 */
import { isJsonArray, isJsonObject, type JsonObject } from "@weir/base";
import { objectIn, parseJsonObject, textIn, WireError } from "@weir/http";
import { isDigest } from "./digest.ts";
import { mediaTypes } from "./media-types.ts";

/** What a manifest refers to. */
export type Manifest =
  /** The manifest contains everything itself: the JSON text of its newest layer. */
  | { readonly kind: "schema1"; readonly newest: string }
  | {
      readonly kind: "image";
      readonly format: "docker" | "oci";
      readonly configDigest: string;
      readonly annotations: JsonObject;
    }
  /** The digest of the linux/amd64 image; undefined if there's none. */
  | { readonly kind: "index"; readonly child: string | undefined };

/** Parses a manifest. Its own media type takes precedence over the header's. Throws WireError. */
export function parseManifest(bytes: Uint8Array, contentType: string): Manifest {
  const manifest = parseJsonObject(bytes, "the manifest");
  switch (mediaTypeOf(manifest, contentType)) {
    case mediaTypes.schema1:
    case mediaTypes.signedSchema1:
      return { kind: "schema1", newest: newestLayer(manifest) };
    case mediaTypes.schema2:
      return image(manifest, "docker");
    case mediaTypes.ociManifest:
      return image(manifest, "oci");
    case mediaTypes.dockerList:
    case mediaTypes.ociIndex:
      return { kind: "index", child: childOf(manifest) };
    case undefined:
      throw new WireError(`the manifest has an unknown media type: ${contentType || "none"}`);
  }
}

type MediaType = (typeof mediaTypes)[keyof typeof mediaTypes];

const known: readonly MediaType[] = Object.values(mediaTypes);

/**
 * If neither names a type, the members decide: OCI leaves the type to the header, and some servers send only "JSON".
 */
function mediaTypeOf(manifest: JsonObject, contentType: string): MediaType | undefined {
  const header = contentType.split(";")[0]?.trim();
  const said = [textIn(manifest, "mediaType"), header];
  const found = known.find((type) => said[0] === type) ?? known.find((type) => said[1] === type);
  if (found !== undefined) {
    return found;
  }
  if (manifest["schemaVersion"] === 1) {
    return mediaTypes.signedSchema1;
  }
  return "manifests" in manifest
    ? mediaTypes.ociIndex
    : "config" in manifest
      ? mediaTypes.ociManifest
      : undefined;
}

function image(manifest: JsonObject, format: "docker" | "oci"): Manifest {
  const configDigest = textIn(objectIn(manifest, "config"), "digest");
  if (!isDigest(configDigest)) {
    throw new WireError("the manifest has no valid digest of a configuration");
  }
  return { kind: "image", format, configDigest, annotations: objectIn(manifest, "annotations") };
}

/** As in Flux v1, the first match; only this platform is looked for. */
function childOf(index: JsonObject): string | undefined {
  const entries = isJsonArray(index["manifests"]) ? index["manifests"].filter(isJsonObject) : [];
  const child = entries.find((entry) => {
    const platform = objectIn(entry, "platform");
    return platform["os"] === "linux" && platform["architecture"] === "amd64";
  });
  const digest = child && textIn(child, "digest");
  if (digest !== undefined && !isDigest(digest)) {
    throw new WireError("the index has no valid digest of a manifest");
  }
  return digest;
}

function newestLayer(manifest: JsonObject): string {
  const history = manifest["history"];
  const newest = isJsonArray(history) ? history[0] : undefined;
  if (!isJsonObject(newest)) {
    throw new WireError("the manifest has no history");
  }
  return textIn(newest, "v1Compatibility");
}
