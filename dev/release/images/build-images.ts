import { join } from "node:path";
import type { ReleaseContext } from "../context.ts";
import type { Architecture } from "./architecture.ts";
import type { Layer } from "./layer.ts";
import { baseLayer, consoleLayer, toolsLayer, weirLayer } from "./layers.ts";
import { type TaggedImage, writeLayout } from "./layout.ts";
import { imageIndex, platformImage } from "./oci.ts";
import { type ImageKind, layoutName, type Variant, variants } from "./variants.ts";

/** Which images to build. */
export interface Wanted {
  readonly kinds: readonly ImageKind[];
  readonly architectures: readonly Architecture[];
}

/** An image that was built. */
export interface BuiltImage {
  /** Its name with its tag. */
  readonly name: string;
  /** The digest of its index. */
  readonly digest: string;
  /** The folder with its OCI layout. */
  readonly layout: string;
}

/** Builds the images of these kinds: an OCI layout each, in the folder `images` of a release. */
export async function buildImages(context: ReleaseContext, wanted: Wanted): Promise<readonly BuiltImage[]> {
  const layers = await layersOf(context, wanted);
  const written = new Map<string, string>();
  const built: BuiltImage[] = [];
  for (const variant of variants.filter(({ kind }) => wanted.kinds.includes(kind))) {
    const tagged = taggedImage(variant, layers, context);
    const name = `${variant.repository}:${tagged.tag}`;
    const layout = join(context.out, "images", layoutName(variant));
    await writeLayout(layout, tagged, written);
    context.say(`images: ${name}, ${describeSizes(tagged)}`);
    built.push({ name, digest: tagged.index.digest, layout });
  }
  return built;
}

/** The layers of an image, from the bottom, by its kind. */
type LayersOf = ReadonlyMap<Architecture, Readonly<Record<ImageKind, readonly Layer[]>>>;

async function layersOf(context: ReleaseContext, wanted: Wanted): Promise<LayersOf> {
  const has = (kind: ImageKind): boolean => wanted.kinds.includes(kind);
  const weir = has("slim") || has("full") ? [await weirLayer(context)] : [];
  const ofConsole = has("console") ? [await consoleLayer(context)] : [];
  const all = new Map<Architecture, Readonly<Record<ImageKind, readonly Layer[]>>>();
  for (const architecture of wanted.architectures) {
    const base = await baseLayer(architecture, context);
    const tools = has("full") ? [await toolsLayer(architecture, context)] : [];
    all.set(architecture, {
      slim: [base, ...weir],
      full: [base, ...tools, ...weir],
      console: [base, ...ofConsole],
    });
  }
  return all;
}

function taggedImage(variant: Variant, layers: LayersOf, context: ReleaseContext): TaggedImage {
  const { version, commit, sourceDate } = context;
  const { kind, suffix } = variant;
  const facts = { ...variant, version, commit, sourceDate };
  const images = [...layers].map(([architecture, of]) => platformImage(architecture, of[kind], facts));
  return { tag: `${version}${suffix}`, index: imageIndex(images, facts), images };
}

/** The compressed size for each architecture, which is what a node downloads. */
function describeSizes({ images }: TaggedImage): string {
  const sizes = images.map(({ architecture, layers }) => {
    const bytes = layers.reduce((sum, { size }) => sum + size, 0);
    return `${architecture.name} ${(bytes / 1e6).toFixed(1)} MB`;
  });
  return sizes.join(", ");
}
