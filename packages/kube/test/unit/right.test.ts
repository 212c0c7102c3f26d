import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { printRight } from "../../src/right.ts";

describe("printRight", () => {
  const right = { group: "apps", resource: "deployments", namespace: "shop", verbs: ["create", "patch"] };

  it("names the verbs, the kind and where", () => {
    assert.equal(printRight(right), "create, patch deployments.apps in shop");
    assert.equal(
      printRight({ ...right, group: "", resource: "nodes", namespace: "" }),
      "create, patch nodes in the whole cluster",
    );
  });

  it("says so where it is everything", () => {
    const everything = { group: "*", resource: "*", namespace: "", verbs: ["*"] };

    assert.equal(printRight(everything), "do everything in the whole cluster");
  });
});
