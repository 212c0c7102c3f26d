import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toYaml } from "../../../src/cluster/preview-yaml.ts";

describe("the YAML of a preview", () => {
  it("has its keys in order, at each depth", () => {
    const yaml = toYaml({ spec: { b: [{ z: 1, a: 2 }], "10": "ten", "9": "nine" }, kind: "Deployment" });

    const spec = ["spec:", "  '10': ten", "  '9': nine", "  b:", "    - a: 2", "      z: 1"];
    assert.equal(yaml, ["kind: Deployment", ...spec, ""].join("\n"));
  });

  it("is empty for an object that isn't there", () => {
    assert.equal(toYaml(null), "");
  });
});
