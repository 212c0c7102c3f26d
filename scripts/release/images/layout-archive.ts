import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { type Blob, layoutIndex, type PlatformImage } from "./oci.ts";
import { type Entry, file, folder } from "./tree/entry.ts";
import { writeTar } from "./tree/tar.ts";

/** A tag, its index, and the images in that. */
export interface TaggedImage {
  readonly tag: string;
  readonly index: Blob;
  readonly images: readonly PlatformImage[];
}

/** Writes an archive of an OCI layout with these images; what they share is in it once. */
export async function writeLayoutArchive(
  path: string,
  tagged: readonly TaggedImage[],
  signal: AbortSignal,
): Promise<void> {
  const blobs = tagged.flatMap(({ index, images }) => [
    index,
    ...images.flatMap(({ config, manifest }) => [config, manifest]),
  ]);
  const layers = new Map(
    tagged
      .flatMap(({ images }) => images.flatMap((image) => image.layers))
      .map((each) => [each.digest, each]),
  );
  const entries: Entry[] = [
    file("oci-layout", JSON.stringify({ imageLayoutVersion: "1.0.0" })),
    file("index.json", layoutIndex(new Map(tagged.map(({ tag, index }) => [tag, index])))),
    folder("blobs"),
    folder("blobs/sha256"),
    ...blobs.map(({ digest, content }) => file(blobPath(digest), content)),
  ];
  for (const { digest, path: source } of layers.values()) {
    entries.push(file(blobPath(digest), await readFile(source, { signal })));
  }
  const tree = new Map(entries.map((entry) => [entry.path, entry]));
  await pipeline(writeTar(tree), createWriteStream(path), { signal });
}

function blobPath(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`;
}
