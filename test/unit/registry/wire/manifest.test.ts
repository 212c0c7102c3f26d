import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WireError } from "@weir/http";
import fc from "fast-check";
import { type Manifest, parseManifest } from "../../../../src/registry/wire/manifest.ts";
import { mediaTypes } from "../../../../src/registry/wire/media-types.ts";

const digest = `sha256:${"a".repeat(64)}`;
const other = `sha256:${"b".repeat(64)}`;

function parse(manifest: unknown, contentType = ""): Manifest {
  return parseManifest(Buffer.from(JSON.stringify(manifest)), contentType);
}

describe("parseManifest", () => {
  it("finds the configuration of an image", () => {
    const manifest = { mediaType: mediaTypes.schema2, config: { digest } };

    assert.deepEqual(parse(manifest), {
      kind: "image",
      format: "docker",
      configDigest: digest,
      annotations: {},
    });
  });

  it("takes the type from the header where the manifest says nothing", () => {
    const annotations = { "org.opencontainers.image.created": "2020-01-01T00:00:00Z" };

    assert.deepEqual(parse({ config: { digest }, annotations }, `${mediaTypes.ociManifest}; charset=utf-8`), {
      kind: "image",
      format: "oci",
      configDigest: digest,
      annotations,
    });
  });

  it("finds the first image for linux on amd64 in an index", () => {
    const manifests = [
      { digest: "sha256:nonsense", platform: { os: "unknown", architecture: "unknown" } },
      { digest: "sha256:nonsense", platform: { os: "linux", architecture: "arm64" } },
      { digest, platform: { os: "linux", architecture: "amd64" } },
      { digest: other, platform: { os: "linux", architecture: "amd64" } },
    ];

    for (const mediaType of [mediaTypes.dockerList, mediaTypes.ociIndex]) {
      assert.deepEqual(parse({ mediaType, manifests }), { kind: "index", child: digest });
    }
    assert.deepEqual(parse({ manifests }, "application/json"), { kind: "index", child: digest });
    assert.deepEqual(parse({ mediaType: mediaTypes.ociIndex }), { kind: "index", child: undefined });
  });

  it("finds the newest layer of schema 1", () => {
    const manifest = { schemaVersion: 1, history: [{ v1Compatibility: "new" }, { v1Compatibility: "old" }] };

    assert.deepEqual(parse(manifest, mediaTypes.signedSchema1), { kind: "schema1", newest: "new" });
  });

  const wrong: readonly unknown[] = [
    {},
    [],
    "text",
    { mediaType: mediaTypes.schema2 },
    { mediaType: mediaTypes.schema2, config: { digest: "sha256:../../etc/passwd" } },
    { mediaType: mediaTypes.ociIndex, manifests: [{ platform: { os: "linux", architecture: "amd64" } }] },
    { schemaVersion: 1, history: [] },
  ];
  for (const manifest of wrong) {
    it(`refuses ${JSON.stringify(manifest)}`, () => {
      assert.throws(() => parse(manifest), WireError);
    });
  }

  it("reads or refuses whatever JSON it gets, and does nothing else", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("", ...Object.values(mediaTypes)), (value, type) => {
        try {
          return ["schema1", "image", "index"].includes(parse(value, type).kind);
        } catch (error) {
          return error instanceof WireError;
        }
      }),
    );
  });
});
