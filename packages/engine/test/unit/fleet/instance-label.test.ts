import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { instanceLabelOf, withInstanceLabel } from "../../../src/fleet/instance-label.ts";
import { thing } from "../../support/engine-objects.ts";

describe("instanceLabelOf", () => {
  it("is the unit's id where that can be a label's value", () => {
    assert.equal(instanceLabelOf("shop-1.eu_west"), "shop-1.eu_west");
  });

  for (const id of ["", "-shop", "shop/eu", "läden", "x".repeat(64)]) {
    it(`is a digest that can be one for "${id.slice(0, 8)}"`, () => {
      assert.match(instanceLabelOf(id), /^sha256-[0-9a-f]{40}$/);
    });
  }
});

describe("withInstanceLabel", () => {
  it("adds the label to what the manifest has", () => {
    const manifest = thing("v1 ConfigMap", "demo/a", { labels: { app: "a" } });

    assert.deepEqual(withInstanceLabel(manifest, "example.test/unit", "shop").metadata.labels, {
      app: "a",
      "example.test/unit": "shop",
    });
    assert.deepEqual(manifest.metadata.labels, { app: "a" });
  });
});
