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

/** All images in the OCI layouts below a folder, by name. An index in an index counts for what it contains. */
export function imagesIn(folder: string): readonly LayoutImage[] {
  return globSync("**/oci-layout", { cwd: folder })
    .map((file) => join(folder, dirname(file)))
    .toSorted()
    .flatMap((layout) => {
      const images = manifestsOf(layout, readJson(join(layout, "index.json")) as Index);
      return images.map((descriptor) => ({
        layout,
        descriptor,
        name: images.length === 1 ? basename(layout) : `${basename(layout)}-${suffixOf(layout, descriptor)}`,
      }));
    });
}

/** The file of a blob. */
export function blobFile(layout: string, digest: string): string {
  return join(layout, "blobs", ...digest.split(":"));
}

function manifestsOf(layout: string, { manifests }: Index): readonly Descriptor[] {
  return manifests.flatMap((descriptor) =>
    /index|manifest\.list/.test(descriptor.mediaType)
      ? manifestsOf(layout, readJson(blobFile(layout, descriptor.digest)) as Index)
      : [descriptor],
  );
}

/** The architecture, which the configuration names if the index doesn't. */
function suffixOf(layout: string, { platform, digest, annotations }: Descriptor): string {
  const { config } = readJson(blobFile(layout, digest)) as { readonly config: Descriptor };
  const { architecture } =
    platform ?? (readJson(blobFile(layout, config.digest)) as { readonly architecture: string });
  const tag = annotations?.["org.opencontainers.image.ref.name"];
  return tag === undefined ? architecture : `${tag.replaceAll(/[^\w.-]+/g, "-")}-${architecture}`;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
