import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { imagesIn } from "../../scripts/release/supply/image-layouts.ts";

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
});
