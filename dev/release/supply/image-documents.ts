import { createReadStream } from "node:fs";
import { posix } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type Extract, extract } from "tar-stream";
import { pageFolder } from "../../../scripts/build/page-contents.ts";
import { blobFile, type Descriptor, type LayoutImage, layersOf } from "./image-layouts.ts";

/** dpkg's database, which lists the installed packages. */
export const packageDatabase = "var/lib/dpkg/status";

/** Where an image has the license of a package, or of a program that isn't in one. */
export function copyrightFile(name: string): string {
  return `usr/share/doc/${name}/copyright`;
}

/** Where an image has what is built from this repository. */
export const ownFolder = "opt/weir";

/** The licenses of what is in the page of the console. */
export const pageLicensesFile = `${ownFolder}/${pageFolder}/licenses.txt`;

/** An image with the texts of these files in it, by path, and of all others only the paths. */
export interface ImageDocuments {
  /** As in LayoutImage. */
  readonly name: string;
  readonly files: Files;
  readonly paths: ReadonlySet<string>;
}

type Files = ReadonlyMap<string, string>;

type Contents = Pick<ImageDocuments, "files" | "paths">;

/** What images say themselves of the licenses of what they have. Each layer is read once. */
export async function documentsIn(
  images: readonly LayoutImage[],
  signal: AbortSignal,
): Promise<readonly ImageDocuments[]> {
  const layers = new Map<string, Contents>();
  const found: ImageDocuments[] = [];
  for (const image of images) {
    const files = new Map<string, string>();
    const paths = new Set<string>();
    for (const layer of layersOf(image)) {
      const known = layers.get(layer.digest) ?? (await readLayer(image.layout, layer, signal));
      layers.set(layer.digest, known);
      // A later layer replaces what an earlier one has.
      known.files.forEach((text, path) => files.set(path, text));
      known.paths.forEach((path) => paths.add(path));
    }
    found.push({ name: image.name, files, paths });
  }
  return found;
}

async function readLayer(
  layout: string,
  { mediaType, digest }: Descriptor,
  signal: AbortSignal,
): Promise<Contents> {
  const reader = extract();
  const stages = mediaType.endsWith("gzip") ? [createGunzip(), reader] : [reader];
  const source = createReadStream(blobFile(layout, digest));
  const [contents] = await Promise.all([contentsIn(reader), pipeline([source, ...stages], { signal })]);
  return contents;
}

async function contentsIn(layer: Extract): Promise<Contents> {
  const files = new Map<string, string>();
  const paths = new Set<string>();
  for await (const entry of layer) {
    const path = posix.normalize(entry.header.name);
    paths.add(path);
    if (isDocument(path)) {
      files.set(path, await text(entry as AsyncIterable<Buffer>));
    } else {
      entry.resume();
    }
  }
  return { files, paths };
}

function isDocument(path: string): boolean {
  const folder = posix.dirname(path);
  return (
    path === packageDatabase ||
    path === copyrightFile(posix.basename(folder)) ||
    (folder === ownFolder && /^[A-Z-]+(\.txt)?$/.test(posix.basename(path))) ||
    path === pageLicensesFile
  );
}
