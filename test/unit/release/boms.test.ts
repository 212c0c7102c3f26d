import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertValidBom, joinBoms } from "../../../dev/release/supply/boms.ts";

describe("an SBOM", () => {
  it("also lists what another one is about, and lists", () => {
    const git = { "bom-ref": "git@1", type: "library", name: "git" };
    const weir = { "bom-ref": "weir@1", type: "application", name: "weir" };
    const ws = { "bom-ref": "ws@8", type: "library", name: "ws" };
    const metadata = { component: weir, timestamp: "2026-01-01T00:00:00Z" };

    const joined = joinBoms(
      { bomFormat: "CycloneDX", components: [git], dependencies: [{ ref: "git@1" }] },
      { metadata, components: [ws], dependencies: [{ ref: "weir@1", dependsOn: ["ws@8"] }] },
    );

    assert.deepEqual(joined, {
      bomFormat: "CycloneDX",
      components: [git, weir, ws],
      dependencies: [{ ref: "git@1" }, { ref: "weir@1", dependsOn: ["ws@8"] }],
    });
  });

  it("isn't accepted if it isn't valid", async () => {
    const bom = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components: [{ name: "no type" }] };

    await assert.rejects(
      assertValidBom(JSON.stringify(bom), "some image"),
      /the SBOM of some image isn't valid/,
    );
    await assertValidBom(JSON.stringify({ ...bom, components: [] }), "another image");
  });
});
