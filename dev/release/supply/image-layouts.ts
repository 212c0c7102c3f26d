import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** An image for one platform, in an OCI layout. */
export interface LayoutImage {
  /** The folder with `oci-layout` and `index.json`. */
  readonly layout: string;
  /** E.g. "weir-slim-arm64": unique among the images of a release. */
  readonly name: string;
  readonly descriptor: Descriptor;
}

/** What an index of OCI says of a blob. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly os: string; readonly architecture: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Index {
  readonly manifests: readonly Descriptor[];
}

/**
 * All images in the OCI layouts below a folder. An index in an index counts for what it contains, and an image with
 * several tags counts once.
 */
export function imagesIn(folder: string): readonly LayoutImage[] {
  const images = globSync("**/oci-layout", { cwd: folder })
    .map((file) => join(folder, dirname(file)))
    .toSorted()
    .flatMap((layout) => {
      const found = manifestsOf(layout, readJson(join(layout, "index.json")) as Index);
      const hasOneTag = new Set(found.map(({ tag }) => tag)).size === 1;
      return found.map(({ tag, descriptor }) => ({
        layout,
        descriptor,
        name: found.length === 1 ? basename(layout) : nameOf(layout, hasOneTag ? undefined : tag, descriptor),
      }));
    });
  const digests = images.map(({ descriptor }) => descriptor.digest);
  return images.filter(({ descriptor }, index) => digests.indexOf(descriptor.digest) === index);
}

/** The layers of an image, from the bottom. */
export function layersOf({ layout, descriptor }: LayoutImage): readonly Descriptor[] {
  const manifest = readJson(blobFile(layout, descriptor.digest)) as {
    readonly layers: readonly Descriptor[];
  };
  return manifest.layers;
}

/** The file of a blob. */
export function blobFile(layout: string, digest: string): string {
  return join(layout, "blobs", ...digest.split(":"));
}

interface Tagged {
  readonly tag: string | undefined;
  readonly descriptor: Descriptor;
}

function manifestsOf(layout: string, { manifests }: Index, outer?: string): readonly Tagged[] {
  return manifests.flatMap((descriptor) => {
    const tag = descriptor.annotations?.["org.opencontainers.image.ref.name"] ?? outer;
    return /index|manifest\.list/.test(descriptor.mediaType)
      ? manifestsOf(layout, readJson(blobFile(layout, descriptor.digest)) as Index, tag)
      : [{ tag, descriptor }];
  });
}

/** By the tag, or else the layout, and the architecture, which the configuration names if the index doesn't. */
function nameOf(layout: string, tag: string | undefined, { platform, digest }: Descriptor): string {
  const { config } = readJson(blobFile(layout, digest)) as { readonly config: Descriptor };
  const { architecture } =
    platform ?? (readJson(blobFile(layout, config.digest)) as { readonly architecture: string });
  return `${tag?.replaceAll(/[^\w.-]+/g, "-") ?? basename(layout)}-${architecture}`;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
