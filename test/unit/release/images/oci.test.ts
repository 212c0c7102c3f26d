import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { architectures } from "../../../../dev/release/images/architecture.ts";
import { type ImageFacts, imageIndex, platformImage } from "../../../../dev/release/images/oci.ts";

const facts: ImageFacts = {
  version: "1.2.3",
  commit: "0123456789abcdef",
  sourceDate: 1_700_000_000,
  title: "Weir",
  description: "",
  user: "1000:1000",
  program: "fluxd",
  workingDir: "/",
};
const layers = ["a", "b"].map((name, index) => {
  return {
    path: name,
    digest: `sha256:${name}`,
    diffId: `sha256:plain-${name}`,
    size: index,
    createdBy: name,
  };
});

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

interface Config {
  readonly rootfs: { readonly diff_ids: readonly string[] };
  readonly config: { readonly User?: string };
}

interface Manifest {
  readonly layers: readonly Descriptor[];
  readonly config: Descriptor;
}

interface Index {
  readonly manifests: readonly (Descriptor & { readonly platform: object })[];
}

describe("an image", () => {
  it("names its layers, compressed and not, from the bottom", () => {
    const [architecture] = architectures;
    assert.ok(architecture);

    const { config, manifest } = platformImage(architecture, layers, facts);

    const { rootfs, config: settings } = JSON.parse(config.content.toString()) as Config;
    const { layers: named, config: configuration } = JSON.parse(manifest.content.toString()) as Manifest;
    assert.deepEqual(rootfs.diff_ids, ["sha256:plain-a", "sha256:plain-b"]);
    assert.deepEqual(
      named.map(({ digest, size }) => [digest, size]),
      [
        ["sha256:a", 0],
        ["sha256:b", 1],
      ],
    );
    assert.deepEqual([configuration.digest, configuration.size], [config.digest, config.content.length]);
    assert.equal(settings.User, "1000:1000");
  });

  it("has an index with each architecture", () => {
    const images = architectures.map((architecture) => platformImage(architecture, layers, facts));

    const { manifests } = JSON.parse(imageIndex(images, facts).content.toString()) as Index;

    assert.deepEqual(
      manifests.map(({ digest, platform }) => [digest, platform]),
      images.map(({ manifest, architecture }) => {
        return [manifest.digest, { architecture: architecture.name, os: "linux" }];
      }),
    );
  });
});
