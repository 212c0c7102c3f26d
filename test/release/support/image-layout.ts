import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/**
 * Puts an image, whose name is e.g. "weir:1.2.3", into a release, as an index of one platform in a layout of its own; with
 * the files of an archive, if one is given. Returns the digest of the index.
 */
export function writeTestImage(
  release: string,
  name: string,
  // Two blocks of zeros are a tar archive without files.
  archive: Buffer = Buffer.alloc(1024),
): string {
  const layout = join(release, "images", name.replace(/:[^-]*/, ""));
  const blobs = join(layout, "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const write = (content: string | Uint8Array): { readonly digest: string; readonly size: number } => {
    const bytes = Buffer.from(content);
    const hash = createHash("sha256").update(bytes).digest("hex");
    writeFileSync(join(blobs, hash), bytes);
    return { digest: `sha256:${hash}`, size: bytes.length };
  };
  const layer = { mediaType: `${types}.layer.v1.tar+gzip`, ...write(gzipSync(archive)) };
  const platform = { os: "linux", architecture: "amd64" };
  const rootfs = {
    type: "layers",
    diff_ids: [`sha256:${createHash("sha256").update(archive).digest("hex")}`],
  };
  const config = {
    mediaType: `${types}.config.v1+json`,
    ...write(JSON.stringify({ ...platform, rootfs, config: { Labels: { name } } })),
  };
  const manifest = { mediaType: `${types}.manifest.v1+json`, config, layers: [layer] };
  const described = {
    mediaType: manifest.mediaType,
    platform,
    ...write(JSON.stringify({ schemaVersion: 2, ...manifest })),
  };
  const mediaType = `${types}.index.v1+json`;
  const index = {
    mediaType,
    ...write(JSON.stringify({ schemaVersion: 2, mediaType, manifests: [described] })),
  };
  const annotations = { "org.opencontainers.image.ref.name": name.split(":")[1] };
  const top = { schemaVersion: 2, manifests: [{ ...index, annotations }] };
  writeFileSync(join(layout, "index.json"), JSON.stringify(top));
  writeFileSync(join(layout, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  appendFileSync(join(release, "images", "digests.txt"), `${index.digest}  docker.io/weirdev/${name}\n`);
  return index.digest;
}

const types = "application/vnd.oci.image";
