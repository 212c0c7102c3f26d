import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Bom, joinBoms, settleBom } from "../../../dev/release/supply/boms.ts";

const found: Bom = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  serialNumber: "urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79",
  metadata: {
    timestamp: "2026-01-01T00:00:00Z",
    tools: { components: [{ type: "application", name: "syft" }] },
    component: { "bom-ref": "af63", type: "container", name: "/tmp/x7/weir" },
    properties: [{ name: "syft:image:labels:org.opencontainers.image.title", value: "Weir" }],
  },
  components: [
    { "bom-ref": "pkg:deb/debian/git", type: "library", name: "git" },
    { "bom-ref": "pkg:deb/debian/bash", type: "library", name: "bash" },
  ],
  dependencies: [
    { ref: "pkg:deb/debian/git", dependsOn: [] },
    { ref: "af63", dependsOn: ["pkg:deb/debian/git", "pkg:deb/debian/bash"] },
  ],
};

const facts = {
  name: "weir-amd64",
  version: "1.2.3",
  digest: "sha256:ab",
  timestamp: "2026-03-04T05:06:07.000Z",
};

describe("the SBOM of an image", () => {
  it("is about the image, and has nothing that the next run would have otherwise", () => {
    const { metadata, ...settled } = settleBom(found, facts);

    assert.deepEqual(settled, {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      components: [
        { "bom-ref": "pkg:deb/debian/bash", type: "library", name: "bash" },
        { "bom-ref": "pkg:deb/debian/git", type: "library", name: "git" },
      ],
      dependencies: [
        { ref: "pkg:deb/debian/git", dependsOn: [] },
        { ref: "weir-amd64@sha256:ab", dependsOn: ["pkg:deb/debian/bash", "pkg:deb/debian/git"] },
      ],
    });
    assert.deepEqual(
      [metadata?.timestamp, metadata?.["properties"], metadata?.component],
      [
        facts.timestamp,
        undefined,
        {
          "bom-ref": "weir-amd64@sha256:ab",
          type: "container",
          name: "weir-amd64",
          version: "1.2.3@sha256:ab",
        },
      ],
    );
  });

  it("also lists the bundles and what is in them, once", () => {
    const bundles: Bom = {
      metadata: { component: { "bom-ref": "weir@1", type: "application", name: "weir" } },
      components: [
        { "bom-ref": "ws@8", type: "library", name: "ws" },
        { "bom-ref": "pkg:deb/debian/git", type: "library", name: "git" },
      ],
      dependencies: [{ ref: "weir@1", dependsOn: ["ws@8"] }],
    };

    const joined = joinBoms(settleBom(found, facts), bundles);

    assert.deepEqual(
      joined.components?.map(({ name }) => name),
      ["bash", "git", "weir", "ws"],
    );
    assert.deepEqual(joined.dependencies?.at(-1), { ref: "weir@1", dependsOn: ["ws@8"] });
  });
});
