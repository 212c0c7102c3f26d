import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ownImageRepository } from "../../../src/image/own-image.ts";
import type { ReleaseContext } from "../context.ts";
import type { Architecture } from "./architecture.ts";
import type { Layer } from "./layer.ts";
import { baseLayer, toolsLayer, weirLayer } from "./layers.ts";
import { type TaggedImage, writeLayoutArchive } from "./layout-archive.ts";
import { imageIndex, platformImage } from "./oci.ts";
import { archiveName, type ImageKind, variants } from "./variants.ts";

/** Which images to build. */
export interface Wanted {
  readonly kinds: readonly ImageKind[];
  readonly architectures: readonly Architecture[];
}

/** What was built. */
export interface BuiltImages {
  /** The paths of the archives. */
  readonly archives: readonly string[];
  /** The digest of each image's index, by its name with its tag. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Builds an archive for each kind, in the folder `images` of a release. */
export async function buildImages(context: ReleaseContext, wanted: Wanted): Promise<BuiltImages> {
  const { version, out, say, signal } = context;
  const folder = join(out, "images");
  await mkdir(folder, { recursive: true });
  const layers = await layersOf(context, wanted);
  const archives: string[] = [];
  const digests = new Map<string, string>();
  for (const kind of wanted.kinds) {
    const tagged = taggedImages(kind, layers, context);
    const path = join(folder, archiveName(kind, version));
    await writeLayoutArchive(path, tagged, signal);
    archives.push(path);
    tagged.forEach(({ tag, index }) => digests.set(`${ownImageRepository}:${tag}`, index.digest));
    say(`images: ${archiveName(kind, version)}, ${describeSizes(tagged)}`);
  }
  return { archives, digests };
}

/** The layers of an image, from the bottom, by its kind. */
type LayersOf = ReadonlyMap<Architecture, Readonly<Record<ImageKind, readonly Layer[]>>>;

async function layersOf(context: ReleaseContext, wanted: Wanted): Promise<LayersOf> {
  const weir = await weirLayer(context);
  const all = new Map<Architecture, Readonly<Record<ImageKind, readonly Layer[]>>>();
  for (const architecture of wanted.architectures) {
    const base = await baseLayer(architecture, context);
    const full = wanted.kinds.includes("full") ? [base, await toolsLayer(architecture, context), weir] : [];
    all.set(architecture, { slim: [base, weir], full });
  }
  return all;
}

function taggedImages(kind: ImageKind, layers: LayersOf, context: ReleaseContext): readonly TaggedImage[] {
  const { version, commit, sourceDate } = context;
  return variants
    .filter((variant) => variant.kind === kind)
    .map(({ suffix, title, description, user }) => {
      const facts = { version, commit, sourceDate, title, description, user };
      const images = [...layers].map(([architecture, of]) => platformImage(architecture, of[kind], facts));
      return { tag: `${version}${suffix}`, index: imageIndex(images, facts), images };
    });
}

/** The compressed size for each architecture, which is what a node downloads. */
function describeSizes(tagged: readonly TaggedImage[]): string {
  const sizes = (tagged[0]?.images ?? []).map(({ architecture, layers }) => {
    const bytes = layers.reduce((sum, { size }) => sum + size, 0);
    return `${architecture.name} ${(bytes / 1e6).toFixed(1)} MB`;
  });
  return sizes.join(", ");
}
