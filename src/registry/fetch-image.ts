/** From a tag to an image: the manifest, the child of an index, the configuration. Each is checked by its digest. */
import { type ImageInfo, unknownImageInfo } from "../image/info.ts";
import { emptyImageRef, type ImageRef } from "../image/ref.ts";
import type { FetchedImage, ImageEntry } from "./client.ts";
import type { HttpAnswer } from "./http/transport.ts";
import { digestOf, isDigest } from "./wire/digest.ts";
import {
  type ImageConfig,
  parseDockerConfiguration,
  parseOciConfiguration,
  parseVersion1Layer,
} from "./wire/image-config.ts";
import { type Manifest, parseManifest } from "./wire/manifest.ts";
import { WireError } from "./wire/parse-json.ts";
import { signedPayload } from "./wire/signed-payload.ts";

/** Reads parts of one repository, by tag or digest. */
export interface RepositoryParts {
  manifest(reference: string): Promise<HttpAnswer>;
  blob(digest: string): Promise<HttpAnswer>;
}

/** As Flux v1: where a configuration does not make sense, its tag has an image without so much as a name. */
const nothingKnown: ImageEntry = { kind: "image", info: unknownImageInfo(emptyImageRef) };

/** As Flux v1 says it. */
const noPlatform = "no suitable manifest (linux amd64) in manifestlist";

/** Reads the image that a tag stands for. Rejects with WireError for an answer that cannot be. */
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
    throw new WireError("the index names an index for linux on amd64");
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

/** The digest of what was sent; what the registry says of it must be the same. */
function digestIn({ body, header }: HttpAnswer, manifest: Manifest): string {
  const digest = digestOf(manifest.kind === "schema1" ? signedPayload(body) : body);
  const said = header("docker-content-digest");
  if (isDigest(said) && said !== digest) {
    throw new WireError(`the registry gives a manifest as ${said} that is ${digest}`);
  }
  return digest;
}

function requireDigest({ body }: HttpAnswer, asked: string): void {
  const digest = digestOf(body);
  if (digest !== asked) {
    throw new WireError(`the registry gives something for ${asked} that is ${digest}`);
  }
}
