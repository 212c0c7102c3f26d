import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { imagesIn } from "../../dev/release/supply/image-layouts.ts";

const manifest = "application/vnd.oci.image.manifest.v1+json";
const index = "application/vnd.oci.image.index.v1+json";

/** A layout; blobs by their digests. */
function writeLayout(folder: TempFolder, name: string, files: Readonly<Record<string, object>>): void {
  folder.write(`${name}/oci-layout`, "{}");
  for (const [path, content] of Object.entries(files)) {
    folder.write(`${name}/${path}`, JSON.stringify(content));
  }
}

describe("the images in OCI layouts", () => {
  it("are found by their platforms, also in an index that is in an index, and without platforms", () => {
    using folder = new TempFolder();
    writeLayout(folder, "weir-slim", {
      "index.json": { manifests: [{ mediaType: manifest, digest: "sha256:s", size: 1 }] },
      "blobs/sha256/s": { config: { digest: "sha256:c" } },
      "blobs/sha256/c": { architecture: "amd64" },
    });
    writeLayout(folder, "weir", {
      "index.json": { manifests: [{ mediaType: index, digest: "sha256:i", size: 1 }] },
      "blobs/sha256/i": {
        manifests: [
          {
            mediaType: manifest,
            digest: "sha256:a",
            size: 1,
            platform: { os: "linux", architecture: "arm64" },
          },
          { mediaType: manifest, digest: "sha256:b", size: 1 },
        ],
      },
      "blobs/sha256/a": { config: { digest: "sha256:ca" } },
      "blobs/sha256/b": { config: { digest: "sha256:cb" } },
      "blobs/sha256/cb": { architecture: "amd64" },
    });

    const found = imagesIn(folder.path).map(({ name, descriptor }) => [name, descriptor.digest]);

    assert.deepEqual(found, [
      ["weir-arm64", "sha256:a"],
      ["weir-amd64", "sha256:b"],
      ["weir-slim", "sha256:s"],
    ]);
  });

  it("are named by their tags where there are several, and count once if they have two", () => {
    using folder = new TempFolder();
    const tagged = (digest: string, tag: string) => ({
      mediaType: index,
      digest,
      size: 1,
      annotations: { "org.opencontainers.image.ref.name": tag },
    });
    const image = (digest: string) => ({
      manifests: [{ mediaType: manifest, digest, size: 1, platform: { os: "linux", architecture: "amd64" } }],
    });
    writeLayout(folder, "weir", {
      "index.json": {
        manifests: [tagged("sha256:i", "1.0.0"), tagged("sha256:j", "1.0.0-root"), tagged("sha256:i", "1")],
      },
      "blobs/sha256/i": image("sha256:a"),
      "blobs/sha256/j": image("sha256:b"),
      "blobs/sha256/a": { config: { digest: "sha256:c" } },
      "blobs/sha256/b": { config: { digest: "sha256:c" } },
    });

    const found = imagesIn(folder.path).map(({ name, descriptor }) => [name, descriptor.digest]);

    assert.deepEqual(found, [
      ["1.0.0-amd64", "sha256:a"],
      ["1.0.0-root-amd64", "sha256:b"],
    ]);
  });
});
