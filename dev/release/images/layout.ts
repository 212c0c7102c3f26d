import { constants } from "node:fs";
import { copyFile, link, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Blob, layoutIndex, type PlatformImage } from "./oci.ts";

/** An image of all architectures, and the tag that names it. */
export interface TaggedImage {
  readonly tag: string;
  readonly index: Blob;
  readonly images: readonly PlatformImage[];
}

/**
 * Writes an OCI layout with this image into a folder. `written` has the paths of layers that are in other layouts of the
 * same release, by digest: they're linked instead of copied, and what is new is added.
 */
export async function writeLayout(
  folder: string,
  { tag, index, images }: TaggedImage,
  written: Map<string, string>,
): Promise<void> {
  await mkdir(join(folder, "blobs", "sha256"), { recursive: true });
  const blobs = [index, ...images.flatMap(({ config, manifest }) => [config, manifest])];
  for (const { digest, content } of blobs) {
    await writeFile(blobPath(folder, digest), content);
  }
  const layers = new Map(images.flatMap((image) => image.layers).map((layer) => [layer.digest, layer.path]));
  for (const [digest, path] of layers) {
    const target = blobPath(folder, digest);
    const known = written.get(digest);
    await (known === undefined ? copyFile(path, target, constants.COPYFILE_FICLONE) : link(known, target));
    written.set(digest, target);
  }
  await writeFile(join(folder, "index.json"), layoutIndex(tag, index));
  await writeFile(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
}

function blobPath(folder: string, digest: string): string {
  return join(folder, "blobs", ...digest.split(":"));
}
