import { createReadStream } from "node:fs";
import { posix } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type Extract, extract } from "tar-stream";
import { blobFile, type Descriptor, type LayoutImage, layersOf } from "./image-layouts.ts";

/** dpkg's database, which lists the installed packages. */
export const packageDatabase = "var/lib/dpkg/status";

/** Where an image has the license of a package, or of a program that isn't in one. */
export function copyrightFile(name: string): string {
  return `usr/share/doc/${name}/copyright`;
}

/** An image with the texts of these files in it, by path. */
export interface ImageDocuments {
  /** As in LayoutImage. */
  readonly name: string;
  readonly files: Files;
}

type Files = ReadonlyMap<string, string>;

/** What images say themselves of the licenses of what they have. Each layer is read once. */
export async function documentsIn(
  images: readonly LayoutImage[],
  signal: AbortSignal,
): Promise<readonly ImageDocuments[]> {
  const layers = new Map<string, Files>();
  const found: ImageDocuments[] = [];
  for (const image of images) {
    const files = new Map<string, string>();
    for (const layer of layersOf(image)) {
      const known = layers.get(layer.digest) ?? (await readLayer(image.layout, layer, signal));
      layers.set(layer.digest, known);
      // A later layer replaces what an earlier one has.
      known.forEach((text, path) => files.set(path, text));
    }
    found.push({ name: image.name, files });
  }
  return found;
}

async function readLayer(
  layout: string,
  { mediaType, digest }: Descriptor,
  signal: AbortSignal,
): Promise<Files> {
  const reader = extract();
  const stages = mediaType.endsWith("gzip") ? [createGunzip(), reader] : [reader];
  const source = createReadStream(blobFile(layout, digest));
  const [files] = await Promise.all([filesIn(reader), pipeline([source, ...stages], { signal })]);
  return files;
}

async function filesIn(layer: Extract): Promise<Files> {
  const files = new Map<string, string>();
  for await (const entry of layer) {
    const path = posix.normalize(entry.header.name);
    if (path === packageDatabase || path === copyrightFile(posix.basename(posix.dirname(path)))) {
      files.set(path, await text(entry as AsyncIterable<Buffer>));
    } else {
      entry.resume();
    }
  }
  return files;
}
