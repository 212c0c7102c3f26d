/**
 * Gets from a tag to an image: reads the manifest, the child of an index, and the configuration, and checks each
 * digest.
 */

import { emptyImageRef, type ImageInfo, type ImageRef, unknownImageInfo } from "@weir/flux";
import type { HttpAnswer } from "@weir/http";
import { WireError } from "@weir/http";
import type { FetchedImage, ImageEntry } from "./client.ts";
import { digestOf, isDigest } from "./wire/digest.ts";
import {
  type ImageConfig,
  parseDockerConfiguration,
  parseOciConfiguration,
  parseVersion1Layer,
} from "./wire/image-config.ts";
import { type Manifest, parseManifest } from "./wire/manifest.ts";
import { signedPayload } from "./wire/signed-payload.ts";

/** Reads the parts of one repository, by tag or digest. */
export interface RepositoryParts {
  manifest(reference: string): Promise<HttpAnswer>;
  blob(digest: string): Promise<HttpAnswer>;
}

/** As in Flux v1, a tag whose configuration can't be parsed has an image without even a name. */
const nothingKnown: ImageEntry = { kind: "image", info: unknownImageInfo(emptyImageRef) };

/** Flux v1's message. */
const noPlatform = "no suitable manifest (linux amd64) in manifestlist";

/** Reads the image that a tag refers to. Rejects with WireError for an invalid response. */
export async function fetchImage(ref: ImageRef, parts: RepositoryParts): Promise<FetchedImage> {
  const answer = await parts.manifest(ref.tag);
  const manifest = manifestIn(answer);
  const digest = digestIn(answer, manifest);
  if (manifest.kind !== "index") {
    return describe(ref, digest, manifest, parts);
  }
  if (manifest.child === undefined) {
    return { entry: { kind: "excluded", reason: noPlatform }, badLabels: [] };
  }
  const { entry, badLabels } = await fetchChild(ref, manifest.child, parts);
  return {
    entry: entry.kind === "image" && entry !== nothingKnown ? { ...entry, indexDigest: digest } : entry,
    badLabels,
  };
}

async function fetchChild(ref: ImageRef, child: string, parts: RepositoryParts): Promise<FetchedImage> {
  const answer = await parts.manifest(child);
  requireDigest(answer, child);
  const manifest = manifestIn(answer);
  if (manifest.kind === "index") {
    throw new WireError("the index refers to another index for linux/amd64, and indexes can't be nested");
  }
  return describe(ref, child, manifest, parts);
}

async function describe(
  ref: ImageRef,
  digest: string,
  manifest: Exclude<Manifest, { kind: "index" }>,
  parts: RepositoryParts,
): Promise<FetchedImage> {
  if (manifest.kind === "schema1") {
    const layer = parseVersion1Layer(manifest.newest);
    return fetched(ref, digest, layer.id, layer);
  }
  const { configDigest, format, annotations } = manifest;
  const blob = await parts.blob(configDigest);
  requireDigest(blob, configDigest);
  const config =
    format === "docker" ? parseDockerConfiguration(blob.body) : parseOciConfiguration(blob.body, annotations);
  if (config === undefined) {
    return { entry: nothingKnown, badLabels: [] };
  }
  return fetched(ref, digest, configDigest, config);
}

function fetched(
  ref: ImageRef,
  digest: string,
  imageId: string,
  { createdAt, labels, badLabels }: ImageConfig,
): FetchedImage {
  const info: ImageInfo = {
    ref,
    digest,
    imageId,
    labels,
    ...(createdAt === undefined ? {} : { createdAt }),
  };
  return { entry: { kind: "image", info }, badLabels };
}

function manifestIn({ body, header }: HttpAnswer): Manifest {
  return parseManifest(body, header("content-type"));
}

/** The digest of the body; a digest that the registry sends must be the same. */
function digestIn({ body, header }: HttpAnswer, manifest: Manifest): string {
  const digest = digestOf(manifest.kind === "schema1" ? signedPayload(body) : body);
  const said = header("docker-content-digest");
  if (isDigest(said) && said !== digest) {
    throw new WireError(`the registry says a manifest has the digest ${said}, but it's ${digest}`);
  }
  return digest;
}

function requireDigest({ body }: HttpAnswer, asked: string): void {
  const digest = digestOf(body);
  if (digest !== asked) {
    throw new WireError(
      `the registry responds to a request for ${asked} with content whose digest is ${digest}`,
    );
  }
}
