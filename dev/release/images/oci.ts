import { createHash } from "node:crypto";
import type { Architecture } from "./architecture.ts";
import type { Layer } from "./layer.ts";

/** A file of an OCI layout that isn't a layer: its content is JSON. */
export interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly content: Buffer;
}

/** What an image says of itself. */
export interface ImageFacts {
  readonly version: string;
  readonly commit: string;
  /** In seconds since the epoch. */
  readonly sourceDate: number;
  readonly title: string;
  readonly description: string;
  /** A user and its group, by number; undefined for root. */
  readonly user: string | undefined;
  /** The program that it starts, which is in the PATH. */
  readonly program: string;
  readonly workingDir: string;
}

/** An image of one architecture. */
export interface PlatformImage {
  readonly architecture: Architecture;
  readonly config: Blob;
  readonly manifest: Blob;
  readonly layers: readonly Layer[];
}

const types = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
};

/** As in the Dockerfile and in Flux's image. */
const path = "/opt/weir:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The config and the manifest of an image. */
export function platformImage(
  architecture: Architecture,
  layers: readonly Layer[],
  facts: ImageFacts,
): PlatformImage {
  const created = createdAt(facts);
  const config = blob(types.config, {
    created,
    architecture: architecture.name,
    os: "linux",
    config: {
      ...(facts.user === undefined ? {} : { User: facts.user }),
      Env: [`PATH=${path}`],
      Entrypoint: ["/sbin/tini", "--", facts.program],
      WorkingDir: facts.workingDir,
      Labels: labelsOf(facts),
    },
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ createdBy }) => ({ created, created_by: createdBy })),
  });
  const manifest = blob(types.manifest, {
    schemaVersion: 2,
    mediaType: types.manifest,
    config: descriptorOf(config),
    layers: layers.map(({ digest, size }) => ({ mediaType: types.layer, digest, size })),
    annotations: labelsOf(facts),
  });
  return { architecture, config, manifest, layers };
}

/** The index over the images of all architectures, which is what a tag names. */
export function imageIndex(images: readonly PlatformImage[], facts: ImageFacts): Blob {
  return blob(types.index, {
    schemaVersion: 2,
    mediaType: types.index,
    manifests: images.map(({ manifest, architecture }) => ({
      ...descriptorOf(manifest),
      platform: { architecture: architecture.name, os: "linux" },
    })),
    annotations: labelsOf(facts),
  });
}

/** The `index.json` of a layout that has one image, under a tag. */
export function layoutIndex(tag: string, index: Blob): Buffer {
  const annotations = { "org.opencontainers.image.ref.name": tag };
  const manifests = [{ ...descriptorOf(index), annotations }];
  return Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: types.index, manifests }));
}

function labelsOf(facts: ImageFacts): Readonly<Record<string, string>> {
  const label = "org.opencontainers.image";
  return {
    [`${label}.created`]: createdAt(facts),
    [`${label}.description`]: facts.description,
    [`${label}.licenses`]: "Apache-2.0",
    [`${label}.revision`]: facts.commit,
    [`${label}.title`]: facts.title,
    [`${label}.version`]: facts.version,
  };
}

function createdAt({ sourceDate }: ImageFacts): string {
  return new Date(sourceDate * 1000).toISOString().replace(".000Z", "Z");
}

function descriptorOf({ mediaType, digest, content }: Blob): {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
} {
  return { mediaType, digest, size: content.length };
}

function blob(mediaType: string, value: object): Blob {
  const content = Buffer.from(JSON.stringify(value));
  return { mediaType, digest: `sha256:${createHash("sha256").update(content).digest("hex")}`, content };
}
