import { createReadStream } from "node:fs";
import { posix } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type Extract, extract } from "tar-stream";
import type { DebianPackage } from "../../licenses/debian/judge.ts";
import { blobFile, type Descriptor, type LayoutImage, layersOf } from "./image-layouts.ts";

const database = "var/lib/dpkg/status";
const documents = "usr/share/doc";

/**
 * The Debian packages that are installed in images, by their own databases, with their copyright files; each once. Throws
 * if an image has none.
 */
export async function debianPackagesIn(
  images: readonly LayoutImage[],
  signal: AbortSignal,
): Promise<readonly DebianPackage[]> {
  const layers = new Map<string, Files>();
  const found = new Map<string, DebianPackage>();
  for (const image of images) {
    const files = new Map<string, string>();
    for (const layer of layersOf(image)) {
      const known = layers.get(layer.digest) ?? (await readLayer(image.layout, layer, signal));
      layers.set(layer.digest, known);
      // A later layer replaces what an earlier one has.
      known.forEach((text, path) => files.set(path, text));
    }
    const packages = installedPackages(files.get(database) ?? "");
    if (packages.length === 0) {
      throw new Error(
        `the image ${image.name} has no Debian packages in ${database}, so nobody knows its licenses`,
      );
    }
    for (const each of withCopyright(packages, files)) {
      found.set(`${each.name}\n${each.copyright ?? ""}`, each);
    }
  }
  return [...found.values()];
}

/** What of a layer says something of packages, by path. */
type Files = ReadonlyMap<string, string>;

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
    if (path === database || (path.startsWith(documents) && path.endsWith("/copyright"))) {
      files.set(path, await text(entry as AsyncIterable<Buffer>));
    } else {
      entry.resume();
    }
  }
  return files;
}

/** An entry of dpkg's database. */
interface InstalledPackage {
  readonly name: string;
  /** What it was built from, together with other packages. */
  readonly source: string;
}

/** Those of dpkg's database, whose entries are separated by empty lines. */
function installedPackages(status: string): readonly InstalledPackage[] {
  return status
    .split(/\n\n+/)
    .filter((entry) => /^Status: .* installed$/m.test(entry))
    .map((entry) => {
      const [name = "", source = name] = ["Package", "Source"].map(
        (field) => new RegExp(`^${field}: (\\S+)`, "m").exec(entry)?.[1],
      );
      return { name, source };
    });
}

/** A package may share the folder of another one that was built from the same source; the link to it isn't in images. */
function withCopyright(packages: readonly InstalledPackage[], files: Files): readonly DebianPackage[] {
  const ownOf = ({ name }: InstalledPackage): string | undefined =>
    files.get(`${documents}/${name}/copyright`);
  return packages.map((each) => {
    const related = packages.filter(({ source }) => source === each.source);
    return { name: each.name, copyright: [each, ...related].map(ownOf).find((found) => found !== undefined) };
  });
}
